import { useCallback, useEffect, useRef } from 'react';
import { useChat, useChatState } from '../context/chatContext.ts';

/** Opens the conversation for as long as it is on the screen; answers what to do where that failed. */
export function useOpenConversation(id: string): () => void {
  const { engine } = useChat();
  const failed = useChatState((state) => state.timelines[id]?.status === 'error');
  const connected = useChatState((state) => state.connection === 'open');
  const open = useCallback(() => {
    // The timeline says itself that it could not be loaded.
    engine.open(id).catch(() => {});
  }, [engine, id]);
  useEffect(() => {
    open();
    return () => engine.close(id);
  }, [engine, id, open]);
  const wasConnected = useRef(connected);
  useEffect(() => {
    // The line is back, so what failed without it is asked for once more.
    if (failed && connected && !wasConnected.current) open();
    wasConnected.current = connected;
  }, [failed, connected, open]);
  return open;
}
