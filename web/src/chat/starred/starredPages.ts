import { routes } from '@nolo/api';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callPage } from '../../api/httpClient.ts';
import { useChat } from '../context/chatContext.ts';

const perPage = 50;
const starredKey = ['starred'];

/** One's starred messages, latest star first, asked for anew when stars come or go on whichever device. */
export function useStarredPages() {
  const { engine } = useChat();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      engine.store.subscribe(({ starred }, before) => {
        if (starred !== before.starred) void queryClient.invalidateQueries({ queryKey: starredKey });
      }),
    [engine, queryClient],
  );
  const query = useInfiniteQuery({
    queryKey: starredKey,
    queryFn: ({ pageParam, signal }) =>
      callPage(routes.listStarred, { query: { limit: perPage, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
  const { data } = query;
  useEffect(() => {
    engine.learnPeople(
      (data?.pages ?? []).flatMap(({ items }) => items.flatMap(({ message }) => message.sender ?? [])),
    );
  }, [engine, data]);
  return query;
}
