import { routes } from '@nolo/api';
import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callPage } from '../api/httpClient.ts';
import { useChat } from '../chat/context/chatContext.ts';

export const callListQueryKey = ['calls', 'list'];
const perPage = 30;

const callPages = infiniteQueryOptions({
  queryKey: callListQueryKey,
  queryFn: ({ pageParam, signal }) =>
    callPage(routes.listCalls, { query: { limit: perPage, ...(pageParam && { cursor: pageParam }) }, signal }),
  initialPageParam: '',
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 0,
});

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
