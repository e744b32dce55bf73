import { useEffect, useState } from 'react';
import { useChat } from '../context/chatContext.ts';

const saveDraftAfterMs = 400;

/** The text, kept as this conversation's draft unless it is a change to a message. */
export function useDraft(conversationId: string): [string, (text: string) => void] {
  const { drafts } = useChat();
  const [text, setText] = useState(() => drafts.getState().drafts[conversationId] ?? '');
  useEffect(() => {
    const save = () => drafts.set(conversationId, text);
    const timer = setTimeout(save, saveDraftAfterMs);
    // Leaving must not lose the last words.
    addEventListener('pagehide', save);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', save);
      save();
    };
  }, [drafts, conversationId, text]);
  return [text, setText];
}
