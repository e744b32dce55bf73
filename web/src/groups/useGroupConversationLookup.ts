import type { Conversation } from '@nolo/api';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { chatApi } from '../chat/storage/chatApi.ts';
import { ApiError } from '../api/httpClient.ts';
import { useChat, useChatState } from '../chat/context/chatContext.ts';

export type GroupConversationLookup =
  | { state: 'found'; conversation: Conversation }
  | { state: 'loading' | 'missing' }
  | { state: 'failed'; retrying: boolean; retry: () => void };

/** Returns the conversation of a group, and loads it if the app does not know it. */
export function useGroupConversationLookup(id: string): GroupConversationLookup {
  const { engine } = useChat();
  const conversation = useChatState((state) => state.conversations[id]);
  const connected = useChatState((state) => state.connection === 'open');
  const unknown = conversation === undefined;
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['group-row', id],
    queryFn: async () => {
      try {
        engine.addConversation(await chatApi.getConversation(id));
        return 'found';
      } catch (error) {
        // The server reports missing to non-members too. An invalid id is also missing.
        if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return 'missing';
        throw error;
      }
    },
    enabled: unknown,
    staleTime: 0,
    gcTime: 0,
  });
  const wasConnected = useRef(connected);
  useEffect(() => {
    // Retries after reconnecting. A failure while connected waits for the user.
    if (connected && !wasConnected.current && isError) void refetch();
    wasConnected.current = connected;
  }, [connected, isError, refetch]);
  if (conversation) return { state: 'found', conversation };
  if (isError) return { state: 'failed', retrying: isFetching, retry: () => void refetch() };
  return { state: data === 'missing' && !isFetching ? 'missing' : 'loading' };
}
