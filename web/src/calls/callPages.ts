import { routes } from '@nolo/api';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callPage } from '../api/httpClient.ts';
import { useChat } from '../chat/context/chatContext.ts';

const callsKey = ['calls', 'list'];
const perPage = 30;

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
  return useInfiniteQuery({
    queryKey: callsKey,
    queryFn: ({ pageParam, signal }) =>
      callPage(routes.listCalls, { query: { limit: perPage, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}
