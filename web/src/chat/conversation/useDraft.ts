import { useCallback, useEffect, useRef, useState } from 'react';
import { useChat } from '../context/chatContext.ts';

const saveDraftAfterMs = 400;

/** The text, kept as this conversation's draft unless it is a change to a message. */
export function useDraft(conversationId: string): [string, (text: string) => void] {
  const { drafts } = useChat();
  const [text, setText] = useState(() => drafts.getState().drafts[conversationId] ?? '');
  /** What was changed here and is not kept yet: only that may be written, or it would overwrite another tab's. */
  const unsaved = useRef<string>(undefined);
  const save = useCallback(() => {
    const changed = unsaved.current;
    unsaved.current = undefined;
    if (changed !== undefined) drafts.set(conversationId, changed);
  }, [drafts, conversationId]);
  useEffect(() => {
    const stop = drafts.subscribe(({ drafts: now }, { drafts: before }) => {
      const draft = now[conversationId] ?? '';
      if (draft === (before[conversationId] ?? '') || unsaved.current !== undefined) return;
      // Spaces alone are no draft, and stay where they are typed.
      setText((current) => (draft === current.trim() ? current : draft));
    });
    // Leaving must not lose the last words.
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
  const change = useCallback((next: string) => {
    unsaved.current = next;
    setText(next);
  }, []);
  return [text, change];
}
