import { routes, type StatusUpdate } from '@nolo/api';
import { useQuery, useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useReducer } from 'react';
import { listen } from '../device/listen.ts';
import { serverClock, serverNow } from '../api/serverClock.ts';
import { call, type ResultPage } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/usePages.ts';
import { usePagedList, type PagedList } from '../ui/pagedList.ts';
import { useChatState } from '../chat/context/chatContext.ts';
import { useSelf } from '../session/self.ts';
import { groupStatuses, findNextStatusExpiry, type StatusGroups } from './model/statusGroups.ts';

export const audienceKey = ['statusAudience'] as const;

/** Interval of spec section 7. */
const pollMs = 30_000;
const pageSize = 50;

export type StatusPages = InfiniteData<ResultPage<StatusUpdate[]>, string>;

export type StatusListing = Omit<PagedList<StatusUpdate>, 'items'> & {
  /** Undefined until the first response or the stored list. */
  groups: StatusGroups | undefined;
};

/** Returns everyone's current status updates. Expired ones disappear on the second, without a request. */
export function useStatuses(): StatusListing {
  const { id: selfId } = useSelf();
  const connected = useChatState((state) => state.connection === 'open');
  const queryClient = useQueryClient();
  useEffect(() => {
    if (connected) void queryClient.invalidateQueries({ queryKey: queryKeys.statuses });
  }, [connected, queryClient]);
  const { items, ...list } = usePagedList(
    usePages(routes.listStatuses, { queryKey: queryKeys.statuses, query: { limit: pageSize }, pollMs }),
  );
  const now = useExpiries(items);
  return { ...list, groups: useMemo(() => items && groupStatuses(items, selfId, now), [items, selfId, now]) };
}

/** Returns the current time, updated whenever a status update expires, and when a device wakes up. */
function useExpiries(statuses: readonly StatusUpdate[] | undefined): number {
  const [, tick] = useReducer((times: number) => times + 1, 0);
  const now = serverNow();
  const next = statuses && findNextStatusExpiry(statuses, now);
  useEffect(() => {
    const timer = next === undefined ? undefined : setTimeout(tick, Math.max(0, next - serverNow()));
    const stops = [listen(document, ['visibilitychange'], tick), serverClock.subscribe(tick)];
    return () => {
      clearTimeout(timer);
      stops.forEach((stop) => stop());
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

/** Records that the user saw a status update. A failure does not matter (spec section 7). */
export function recordView(queryClient: QueryClient, id: string): void {
  updateStatusesInCache(queryClient, (one) => (one.id === id ? { ...one, hasViewed: true } : one));
  call(routes.viewStatus, { params: { id } })
    // oxlint-disable-next-line no-console -- the specification has it logged, and nobody told (section 7)
    .catch((error: unknown) => console.warn('A view of a status update was not recorded.', error))
    .finally(() => void queryClient.invalidateQueries({ queryKey: queryKeys.statuses }));
}

export function useAudience() {
  return useQuery({
    queryKey: audienceKey,
    queryFn: ({ signal }) => call(routes.getStatusAudience, { signal }),
    staleTime: 0,
  });
}

/** Loads the viewers of the user's status update page by page, latest first. */
export const useViewers = (id: string, viewCount: number) =>
  // Reloads whenever there is another viewer.
  usePages(routes.listStatusViewers, { queryKey: ['statusViewers', id, viewCount], params: { id } });
