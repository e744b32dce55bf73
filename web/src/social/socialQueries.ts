import type { SocialPost } from '@nolo/api';
import { routes } from '@nolo/api';
import { socialLimits } from '@nolo/rules';
import type { SocialPostState } from '@nolo/rules';
import type { QueryClient } from '@tanstack/react-query';
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Page } from '../api/httpClient.ts';
import { call, callPage } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { useChatState } from '../chat/context/chatContext.ts';

const pageSize = 20;

export type PostFilter = 'all' | SocialPostState;

export interface PostListing {
  /** Undefined until the first answer. */
  posts: readonly SocialPost[] | undefined;
  failed: boolean;
  /** The first page is here and a further one is not. */
  moreFailed: boolean;
  fetching: boolean;
  retry: () => void;
  more: () => void;
}

/** Asks again for what may have changed while the line was down. */
export function useSocialUpkeep(): void {
  const connected = useChatState((state) => state.connection === 'open');
  const queryClient = useQueryClient();
  useEffect(() => {
    if (connected) void queryClient.invalidateQueries({ queryKey: queryKeys.social });
  }, [connected, queryClient]);
}

/** One's posts, page by page. */
export function usePosts(filter: PostFilter): PostListing {
  const query = useInfiniteQuery({
    queryKey: [...queryKeys.social, 'posts', filter],
    queryFn: ({ pageParam, signal }) =>
      callPage(routes.listSocialPosts, {
        query: { limit: pageSize, ...(filter !== 'all' && { state: filter }), ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const posts = useMemo(
    () =>
      query.data && [...new Map(query.data.pages.flatMap((page) => page.items).map((one) => [one.id, one])).values()],
    [query.data],
  );
  return {
    posts,
    failed: query.isError && posts === undefined,
    moreFailed: query.isFetchNextPageError,
    fetching: query.isFetching,
    retry: () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch()),
    more: () => {
      if (query.hasNextPage && !query.isFetching && !query.isFetchNextPageError) void query.fetchNextPage();
    },
  };
}

/** Pages of one calendar page, of 100 posts each; what goes beyond says that it does. */
const mostPages = 5;

/** One's posts that go out, or went out, between two moments. */
export function usePostsBetween({ from, to }: { from: string; to: string }, filter: PostFilter) {
  return useQuery({
    queryKey: [...queryKeys.social, 'between', from, to, filter],
    queryFn: async ({ signal }) => {
      const posts: SocialPost[] = [];
      let cursor: string | null = '';
      for (let page = 0; page < mostPages; page += 1) {
        const found: Page<SocialPost[]> = await callPage(routes.listSocialPosts, {
          query: {
            from,
            to,
            limit: socialLimits.socialPostsPerPage,
            ...(filter !== 'all' && { state: filter }),
            ...(cursor && { cursor }),
          },
          signal,
        });
        posts.push(...found.items);
        cursor = found.nextCursor;
        if (cursor === null) break;
      }
      return { posts, complete: cursor === null };
    },
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** What a calendar shows until the server has said what became of a change. */
export function showMoved(client: QueryClient, id: string, time: { at: Date; scheduledAt: string }): void {
  client.setQueriesData<{ posts: SocialPost[]; complete: boolean }>(
    { queryKey: [...queryKeys.social, 'between'] },
    (known) =>
      known && {
        ...known,
        posts: known.posts.map((post) =>
          post.id === id ? { ...post, scheduledAt: time.at.toISOString(), localTime: time.scheduledAt } : post,
        ),
      },
  );
}

export function useCounts() {
  return useQuery({
    queryKey: [...queryKeys.social, 'counts'],
    queryFn: ({ signal }) => call(routes.countSocialPosts, { signal }),
    staleTime: 0,
  });
}

export function usePlatforms() {
  return useQuery({
    queryKey: [...queryKeys.social, 'platforms'],
    queryFn: ({ signal }) => call(routes.listSocialPlatforms, { signal }),
    staleTime: 0,
  });
}
