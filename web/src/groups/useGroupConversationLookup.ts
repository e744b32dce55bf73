import type { Conversation } from '@nolo/api';
import { useQuery } from '@tanstack/react-query';
import { chatApi } from '../chat/storage/chatApi.ts';
import { unlessMissing } from '../chat/conversation/useConversationLookup.ts';
import { useChat, useChatState, useOnReconnect } from '../chat/context/chatContext.ts';

export type GroupConversationLookup =
  | { state: 'found'; conversation: Conversation }
  | { state: 'loading' | 'missing' }
  | { state: 'failed'; retrying: boolean; retry: () => void };

/** Returns the conversation of a group, and loads it if the app does not know it. */
export function useGroupConversationLookup(id: string): GroupConversationLookup {
  const { engine } = useChat();
  const conversation = useChatState((state) => state.conversations[id]);
  const unknown = conversation === undefined;
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['group-row', id],
    queryFn: async () => {
      // The server reports missing to non-members too.
      const found = await unlessMissing(chatApi.getConversation(id));
      if (found) engine.addConversation(found);
      return found ? 'found' : 'missing';
    },
    enabled: unknown,
    staleTime: 0,
    gcTime: 0,
  });
  // A failure while connected waits for the user.
  useOnReconnect(() => isError && void refetch());
  if (conversation) return { state: 'found', conversation };
  if (isError) return { state: 'failed', retrying: isFetching, retry: () => void refetch() };
  return { state: data === 'missing' && !isFetching ? 'missing' : 'loading' };
}
