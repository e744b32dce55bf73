import { useCallback, useEffect, useRef } from 'react';
import { useChat, useChatState } from '../context/chatContext.ts';

/** Keeps the conversation open while it is on the screen. Returns a retry function for failures. */
export function useOpenConversation(id: string): () => void {
  const { engine } = useChat();
  const failed = useChatState((state) => state.timelines[id]?.status === 'error');
  const connected = useChatState((state) => state.connection === 'open');
  const open = useCallback(() => {
    // The timeline shows its own loading error.
    engine.open(id).catch(() => {});
  }, [engine, id]);
  useEffect(() => {
    open();
    return () => engine.close(id);
  }, [engine, id, open]);
  const wasConnected = useRef(connected);
  useEffect(() => {
    // Retries after reconnecting.
    if (failed && connected && !wasConnected.current) open();
    wasConnected.current = connected;
  }, [failed, connected, open]);
  return open;
}
