import { routes } from '@nolo/api';
import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callPage } from '../api/httpClient.ts';
import { useChat } from '../chat/context/chatContext.ts';

export const callsKey = ['calls', 'list'];
const perPage = 30;

const callPages = infiniteQueryOptions({
  queryKey: callsKey,
  queryFn: ({ pageParam, signal }) =>
    callPage(routes.listCalls, { query: { limit: perPage, ...(pageParam && { cursor: pageParam }) }, signal }),
  initialPageParam: '',
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 0,
});

/** The account's calls, latest first, kept up to date while one looks at them. */
export function useCallPages() {
  const queryClient = useQueryClient();
  const { line } = useChat().engine;
  useEffect(() => {
    const refresh = () => void queryClient.invalidateQueries({ queryKey: callsKey });
    const stops = [line.subscribe('call_initiated', refresh), line.subscribe('call_ended', refresh)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [line, queryClient]);
  return useInfiniteQuery(callPages);
}

/** Whether there is no call to choose, as the list beside it has learned. */
export function useHasNoCalls(): boolean {
  const { data } = useInfiniteQuery({ ...callPages, refetchOnMount: false });
  return data?.pages[0]?.items.length === 0;
}
