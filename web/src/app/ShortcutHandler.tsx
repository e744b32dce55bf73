import { useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigate } from 'react-router-dom';
import { listen } from '../device/listen.ts';
import { isTyping } from '../shell/isTyping.ts';
import { useChat } from '../chat/context/chatContext.ts';
import { listCurrentAndArchivedConversations } from '@nolo/client/chat/chatStore';
import { conversationPath } from '../chat/words/conversationName.ts';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { takeEarlyKeyPresses } from './earlyKeyPresses.ts';
import { findNeighbourChat } from './findNeighbourChat.ts';
import { useNavEntries } from './sections.tsx';
import { asksForPalette, createShortcutReader, type ShortcutAction } from './shortcuts.ts';

const ShortcutDialog = lazyDialog(async () => (await import('./ShortcutDialog.tsx')).ShortcutDialog);
const CommandPalette = lazyDialog(async () => (await import('./palette/CommandPalette.tsx')).CommandPalette);

/** Returns true if a dialog is open, because elements under it do not react. */
function isUnderDialog(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog]') !== null;
}

/** Runs shortcut actions other than opening something. */
function useRunShortcut(): (action: Extract<ShortcutAction, { kind: 'section' | 'chat' }>) => void {
  const navigate = useNavigate();
  const { engine } = useChat();
  const { pathname } = useLocation();
  const entries = useNavEntries();
  return (action) => {
    if (action.kind === 'section') {
      const path = entries[action.index]?.path;
      if (path !== undefined) void navigate(path);
      return;
    }
    const { current } = listCurrentAndArchivedConversations(engine.store.getState().conversations);
    const openId = /^\/(?:group-)?chat\/([^/]+)/.exec(pathname)?.[1];
    const chat = findNeighbourChat(current, openId, action);
    if (chat) void navigate(conversationPath(chat));
  };
}

/** Handles the app's shortcuts, lists them when `?` is pressed, and opens the command palette. */
export function ShortcutHandler() {
  const [open, setOpen] = useState<'sheet' | 'palette' | null>(null);
  const run = useEffectEvent(useRunShortcut());

  useEffect(() => {
    const read = createShortcutReader(() => performance.now());
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const action = read(event, isTyping(event.target));
      // A select field opens its options with these keys.
      if (action === undefined || (action.kind === 'chat' && event.target instanceof HTMLSelectElement)) return;
      if (action.kind === 'palette') {
        event.preventDefault();
        if (isUnderDialog()) setOpen((now) => (now === 'palette' ? null : now));
        else setOpen('palette');
        return;
      }
      if (action.kind !== 'sheet' && isUnderDialog()) return;
      event.preventDefault();
      if (action.kind === 'section' || action.kind === 'chat') run(action);
      else if (action.kind === 'sheet') setOpen('sheet');
      else document.querySelector<HTMLInputElement>('[role=search] input')?.focus();
    };
    replay(takeEarlyKeyPresses(), onKeyDown, () => flushSync(() => setOpen('palette')));
    return listen(window, ['keydown'], onKeyDown);
  }, []);

  const close = () => setOpen(null);
  if (open === 'palette') return <CommandPalette onClose={close} onShowShortcuts={() => setOpen('sheet')} />;
  return open === 'sheet' && <ShortcutDialog onClose={close} />;
}

/** Replays keys pressed before the listener was loaded. Those after the palette's shortcut were meant for its field. */
function replay(early: KeyboardEvent[], onKeyDown: (event: KeyboardEvent) => void, openPalette: () => void): void {
  const paletteKeyIndex = early.findIndex(asksForPalette);
  (paletteKeyIndex < 0 ? early : early.slice(0, paletteKeyIndex)).forEach(onKeyDown);
  if (paletteKeyIndex < 0) return;
  queueMicrotask(() => {
    openPalette();
    for (const { key } of early.slice(paletteKeyIndex + 1))
      dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }));
  });
}
