import type { StatusUpdate, StatusViewer } from '@nolo/api';
import { routes } from '@nolo/api';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useReducer } from 'react';
import { serverClock, serverNow } from '../api/serverClock.ts';
import type { ResultPage } from '../api/httpClient.ts';
import { call, callPage } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { useChatState } from '../chat/context/chatContext.ts';
import { useSelf } from '../session/self.ts';
import type { StatusGroups } from './model/statusGroups.ts';
import { groupStatuses, findNextStatusExpiry } from './model/statusGroups.ts';

const audienceKey = ['statusAudience'] as const;

/** Interval of spec section 7. */
const refetchIntervalMs = 30_000;
/** People per page. */
const pageSize = 50;

type StatusPage = ResultPage<StatusUpdate[]>;
export type StatusPages = InfiniteData<StatusPage, string>;

export interface StatusListing {
  /** Undefined until the first response or the stored list. */
  groups: StatusGroups | undefined;
  failed: boolean;
  fetching: boolean;
  moreFailed: boolean;
  hasMore: boolean;
  retry: () => void;
  more: () => void;
}

/** Returns everyone's current status updates. Expired ones disappear on the second, without a request. */
export function useStatuses(): StatusListing {
  const { id: selfId } = useSelf();
  const connected = useChatState((state) => state.connection === 'open');
  const queryClient = useQueryClient();
  useEffect(() => {
    if (connected) void queryClient.invalidateQueries({ queryKey: queryKeys.statuses });
  }, [connected, queryClient]);
  const query = useInfiniteQuery({
    queryKey: queryKeys.statuses,
    queryFn: ({ pageParam, signal }): Promise<StatusPage> =>
      callPage(routes.listStatuses, {
        query: { limit: pageSize, ...(pageParam !== '' && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: refetchIntervalMs,
  });
  const statuses = useMemo(() => query.data?.pages.flatMap((page) => page.items), [query.data]);
  const now = useExpiries(statuses);
  const groups = useMemo(() => statuses && groupStatuses(statuses, selfId, now), [statuses, selfId, now]);
  return {
    groups,
    failed: query.isError && groups === undefined,
    fetching: query.isFetching,
    moreFailed: query.isFetchNextPageError,
    hasMore: query.hasNextPage,
    retry: () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch()),
    more: () => {
      if (query.hasNextPage && !query.isFetching && !query.isFetchNextPageError) void query.fetchNextPage();
    },
  };
}

/** Returns the current time, updated whenever a status update expires, and when a device wakes up. */
function useExpiries(statuses: readonly StatusUpdate[] | undefined): number {
  const [, tick] = useReducer((times: number) => times + 1, 0);
  const now = serverNow();
  const next = statuses && findNextStatusExpiry(statuses, now);
  useEffect(() => {
    const timer = next === undefined ? undefined : setTimeout(tick, Math.max(0, next - serverNow()));
    document.addEventListener('visibilitychange', tick);
    const stopFollowing = serverClock.subscribe(tick);
    return () => {
      clearTimeout(timer);
      stopFollowing();
      document.removeEventListener('visibilitychange', tick);
    };
  }, [next]);
  return now;
}

/** Replaces entries of the list for which `change` returns another value. Undefined removes one. */
export function updateStatusesInCache(
  queryClient: QueryClient,
  change: (status: StatusUpdate) => StatusUpdate | undefined,
): void {
  queryClient.setQueryData<StatusPages>(
    queryKeys.statuses,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          items: page.items.map(change).filter((status) => status !== undefined),
        })),
      },
  );
}

export function useAudience() {
  return useQuery({
    queryKey: audienceKey,
    queryFn: ({ signal }) => call(routes.getStatusAudience, { signal }),
    staleTime: 0,
  });
}

export function invalidateStatusAudience(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: audienceKey });
}

/** Loads the viewers of the user's status update page by page, latest first. */
export function useViewers(id: string, viewCount: number) {
  return useInfiniteQuery({
    // Reloads whenever there is another viewer.
    queryKey: ['statusViewers', id, viewCount],
    queryFn: ({ pageParam, signal }): Promise<ResultPage<StatusViewer[]>> =>
      callPage(routes.listStatusViewers, {
        params: { id },
        query: { ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}
