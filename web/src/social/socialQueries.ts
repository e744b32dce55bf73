import type { SocialPost } from '@nolo/api';
import { routes } from '@nolo/api';
import { socialLimits } from '@nolo/rules';
import type { SocialPostState } from '@nolo/rules';
import type { QueryClient } from '@tanstack/react-query';
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { ResultPage } from '../api/httpClient.ts';
import { call, callPage } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { useChatState } from '../chat/context/chatContext.ts';

const pageSize = 20;

export type PostFilter = 'all' | SocialPostState;

export interface PostListing {
  /** Undefined until the first response. */
  posts: readonly SocialPost[] | undefined;
  failed: boolean;
  /** True if the first page loaded and a further one failed. */
  moreFailed: boolean;
  fetching: boolean;
  retry: () => void;
  more: () => void;
}

/** Reloads what may have changed while disconnected. */
export function useRefetchSocialOnReconnect(): void {
  const connected = useChatState((state) => state.connection === 'open');
  const queryClient = useQueryClient();
  useEffect(() => {
    if (connected) void queryClient.invalidateQueries({ queryKey: queryKeys.social });
  }, [connected, queryClient]);
}

/** Loads the user's posts page by page. */
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

/** Maximum pages of 100 posts for one calendar page. The result shows if there are more. */
const maxCalendarPages = 5;

/** Loads the user's posts that are published between two moments. */
export function usePostsBetween({ from, to }: { from: string; to: string }, filter: PostFilter) {
  return useQuery({
    queryKey: [...queryKeys.social, 'between', from, to, filter],
    queryFn: async ({ signal }) => {
      const posts: SocialPost[] = [];
      let cursor: string | null = '';
      for (let page = 0; page < maxCalendarPages; page += 1) {
        const found: ResultPage<SocialPost[]> = await callPage(routes.listSocialPosts, {
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

/** Applies a move to the calendars until the server responds. */
export function showMovedPost(client: QueryClient, id: string, time: { at: Date; scheduledAt: string }): void {
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

export function usePostCounts() {
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
