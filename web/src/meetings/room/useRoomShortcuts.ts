import { useEffect, useEffectEvent } from 'react';
import { isTyping } from '../../shell/isTyping.ts';
import { listen } from '../../device/listen.ts';
import type { PanelName, RoomDialogName } from './model/roomParts.ts';
import { useRoomClient } from './roomContext.ts';

/** Handles the room's keyboard shortcuts, as its help dialog lists them. */
export function useRoomShortcuts(
  onPanel: (panel: PanelName) => void,
  onDialog: (dialog: RoomDialogName) => void,
  onFullScreen: () => void,
): void {
  const client = useRoomClient();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.repeat || isTyping(event.target)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector('[role=dialog], [role=alertdialog], [role=menu]')) return;
    const { microphone, camera, participants, selfId } = client.store.getState();
    const actions: Record<string, () => void> = {
      m: () => void client.set('microphone', !microphone),
      v: () => void client.set('camera', !camera),
      h: () => void client.setHand(!participants[selfId ?? '']?.isHandRaised),
      c: () => onPanel('chat'),
      p: () => onPanel('people'),
      f: onFullScreen,
      l: () => onDialog('leave'),
      '?': () => onDialog('keys'),
    };
    const action = actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
  useEffect(() => listen(window, ['keydown'], (event: KeyboardEvent) => onKeyDown(event)), []);
}
