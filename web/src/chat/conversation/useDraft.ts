import { useCallback, useEffect, useRef, useState } from 'react';
import { useChat } from '../context/chatContext.ts';

const saveDraftAfterMs = 400;

/** Text of the composer, stored as the conversation's draft unless it edits a message. */
export function useDraft(conversationId: string): [string, (text: string) => void] {
  const { drafts } = useChat();
  const [text, setText] = useState(() => drafts.getState().drafts[conversationId] ?? '');
  /**
   * Local change not stored yet. Only such a change is written, because anything else would overwrite another tab's
   * draft.
   */
  const unsaved = useRef<string>(undefined);
  const save = useCallback(() => {
    const changed = unsaved.current;
    unsaved.current = undefined;
    if (changed !== undefined) drafts.set(conversationId, changed);
  }, [drafts, conversationId]);
  useEffect(() => {
    const show = (draft: string): void => {
      if (unsaved.current !== undefined) return;
      // Whitespace alone is no draft, but stays in the field.
      setText((current) => (draft === current.trim() ? current : draft));
    };
    const stop = drafts.subscribe(({ drafts: now }, { drafts: before }) => {
      const draft = now[conversationId] ?? '';
      if (draft !== (before[conversationId] ?? '')) show(draft);
    });
    // Stored drafts may have been opened since the first render.
    show(drafts.getState().drafts[conversationId] ?? '');
    // Leaving the page must not lose the last words.
    addEventListener('pagehide', save);
    return () => {
      stop();
      removeEventListener('pagehide', save);
      save();
    };
  }, [drafts, conversationId, save]);
  useEffect(() => {
    const timer = setTimeout(save, saveDraftAfterMs);
    return () => clearTimeout(timer);
  }, [text, save]);
  const change = useCallback(
    (next: string) => {
      unsaved.current = next;
      drafts.prepare(conversationId, next).catch(() => undefined);
      setText(next);
    },
    [drafts, conversationId],
  );
  return [text, change];
}
