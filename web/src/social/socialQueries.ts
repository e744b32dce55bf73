import { routes, type SocialPost } from '@nolo/api';
import { socialLimits, type SocialPostState } from '@nolo/rules';
import { keepPreviousData, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, callPage, type ResultPage } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/usePages.ts';
import { usePagedList } from '../ui/pagedList.ts';
import { useChatState } from '../chat/context/chatContext.ts';

const pageSize = 20;

export type PostFilter = 'all' | SocialPostState;

/** Reloads what may have changed while disconnected. */
export function useRefetchSocialOnReconnect(): void {
  const connected = useChatState((state) => state.connection === 'open');
  const queryClient = useQueryClient();
  useEffect(() => {
    if (connected) void queryClient.invalidateQueries({ queryKey: queryKeys.social });
  }, [connected, queryClient]);
}

export const usePosts = (filter: PostFilter) =>
  usePagedList(
    usePages(routes.listSocialPosts, {
      queryKey: [...queryKeys.social, 'posts', filter],
      query: { limit: pageSize, ...(filter !== 'all' && { state: filter }) },
      keepPrevious: true,
    }),
  );

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
