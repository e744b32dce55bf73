import { useEffect, useRef } from 'react';
import type { PanelName, RoomDialogName } from './Room.tsx';
import { useRoomClient } from './roomContext.ts';

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Handles the room's keyboard shortcuts, as its help dialog lists them. */
export function useRoomShortcuts(keys: {
  onPanel: (panel: PanelName) => void;
  onDialog: (dialog: RoomDialogName) => void;
  onFullScreen: () => void;
}): void {
  const client = useRoomClient();
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat || isTyping(event.target)) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector('[role=dialog], [role=alertdialog], [role=menu]')) return;
      const { microphone, camera, participants, selfId } = client.store.getState();
      const { onPanel, onDialog, onFullScreen } = current.current;
      const actions: Record<string, () => void> = {
        m: () => void client.set('microphone', !microphone),
        v: () => void client.set('camera', !camera),
        h: () => void client.setHand(!participants[selfId ?? '']?.isHandRaised),
        c: () => onPanel('chat'),
        p: () => onPanel('people'),
        f: () => onFullScreen(),
        l: () => onDialog('leave'),
        '?': () => onDialog('keys'),
      };
      const action = actions[event.key.toLowerCase()];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [client]);
}
