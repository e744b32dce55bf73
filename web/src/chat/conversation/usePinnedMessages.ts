import { routes, type Message } from '@nolo/api';
import { readSystemMessage } from '@nolo/rules';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../api/httpClient.ts';
import { useChat, useChatState } from '../context/chatContext.ts';
import { findQuotedMessage } from '@nolo/client/chat/originals';

export const pinnedMessagesQueryKey = (conversationId: string) => ['pinned', conversationId];

/** Counts the pin events in the loaded messages. A change triggers a refetch. */
function countPins(messages: readonly Message[]): number {
  return messages.reduce((count, { messageType, content }) => {
    return messageType === 'system' && readSystemMessage(content)?.kind === 'message_pinned' ? count + 1 : count;
  }, 0);
}

/** Returns the pinned messages, latest pin first: the server's list with later changes known here. */
export function usePinnedMessages(conversationId: string) {
  const { engine } = useChat();
  const loaded = useChatState((state) => state.timelines[conversationId]?.messages);
  const optimisticUpdates = useChatState((state) => state.optimisticUpdates);
  const connected = useChatState((state) => state.connection === 'open');
  const pins = useMemo(() => countPins(loaded ?? []), [loaded]);
  const { data, isError, refetch } = useQuery({
    queryKey: [...pinnedMessagesQueryKey(conversationId), pins],
    queryFn: async ({ signal }) =>
      engine.openRows(await call(routes.listPinned, { params: { id: conversationId }, signal })),
    placeholderData: (before) => before,
    enabled: connected,
    staleTime: 30_000,
  });
  const messages = useMemo(() => {
    const state = engine.store.getState();
    const all = new Map((data ?? []).map((message) => [message.seq, message]));
    for (const message of loaded ?? []) {
      if (message.pinnedAt !== null || optimisticUpdates[message.id]?.pinned) all.set(message.seq, message);
    }
    return [...all.values()]
      .map((message) => {
        const here = findQuotedMessage(state, conversationId, message.seq);
        return here && here.changeSeq > message.changeSeq ? here : message;
      })
      .filter(
        (message) => message.deletedAt === null && (optimisticUpdates[message.id]?.pinned ?? message.pinnedAt !== null),
      )
      .toSorted((a, b) => (b.pinnedAt ?? '~').localeCompare(a.pinnedAt ?? '~'));
  }, [engine, conversationId, data, loaded, optimisticUpdates]);
  return { messages, failed: isError && data === undefined, retry: () => void refetch() };
}
