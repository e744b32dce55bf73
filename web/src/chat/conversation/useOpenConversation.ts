import { useCallback, useEffect } from 'react';
import { useChat, useChatState, useOnReconnect } from '../context/chatContext.ts';

/** Keeps the conversation open while it is on the screen. Returns a retry function for failures. */
export function useOpenConversation(id: string): () => void {
  const { engine } = useChat();
  const failed = useChatState((state) => state.timelines[id]?.status === 'error');
  const open = useCallback(() => {
    // The timeline shows its own loading error.
    engine.open(id).catch(() => {});
  }, [engine, id]);
  useEffect(() => {
    open();
    return () => engine.close(id);
  }, [engine, id, open]);
  useOnReconnect(() => failed && open());
  return open;
}
