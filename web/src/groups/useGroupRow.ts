import type { Conversation } from '@nolo/api';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { chatApi } from '../chat/storage/chatApi.ts';
import { ApiError } from '../api/httpClient.ts';
import { useChat, useChatState } from '../chat/context/chatContext.ts';

export type GroupRow =
  | { state: 'found'; conversation: Conversation }
  | { state: 'loading' | 'missing' }
  | { state: 'failed'; retrying: boolean; retry: () => void };

/** The conversation of a group, which is asked for where the app does not know it. */
export function useGroupRow(id: string): GroupRow {
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
        // Who is no member is told that there is none, and what is no id is none either.
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
    // The line is back, so what failed without it is asked for once more; what fails with it waits for a press.
    if (connected && !wasConnected.current && isError) void refetch();
    wasConnected.current = connected;
  }, [connected, isError, refetch]);
  if (conversation) return { state: 'found', conversation };
  if (isError) return { state: 'failed', retrying: isFetching, retry: () => void refetch() };
  return { state: data === 'missing' && !isFetching ? 'missing' : 'loading' };
}
