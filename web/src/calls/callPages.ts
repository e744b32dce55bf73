import { routes } from '@nolo/api';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { pagesQuery } from '../api/usePages.ts';
import { useChat } from '../chat/context/chatContext.ts';

export const callListQueryKey = ['calls', 'list'];
const callPages = pagesQuery(routes.listCalls, { queryKey: callListQueryKey, query: { limit: 30 } });

/** Lists the account's calls, latest first, updated while the user views them. */
export function useCallPages() {
  const queryClient = useQueryClient();
  const { socket } = useChat().engine;
  useEffect(() => {
    const refresh = () => void queryClient.invalidateQueries({ queryKey: callListQueryKey });
    const stops = [socket.subscribe('call_initiated', refresh), socket.subscribe('call_ended', refresh)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [socket, queryClient]);
  return useInfiniteQuery(callPages);
}

/** Returns true if there is no call to select, according to the list next to it. */
export function useHasNoCalls(): boolean {
  const { data } = useInfiniteQuery({ ...callPages, refetchOnMount: false });
  return data?.pages[0]?.items.length === 0;
}
