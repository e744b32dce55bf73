import type { Route, RouteParams, RouteQueryInput, RouteReply } from '@nolo/api';
import type { QueryKey } from '@tanstack/react-query';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { callPage } from './httpClient.ts';
import { withProof } from './proof.ts';

export interface PagesOptions<R extends Route> {
  queryKey: QueryKey;
  params?: RouteParams<R>;
  /** Query values besides the cursor. */
  query?: Omit<NonNullable<RouteQueryInput<R>>, 'cursor'>;
  /** Milliseconds for which the loaded pages count as fresh. Default: 0, so that a list that opens again refetches. */
  staleTime?: number;
  /** True if the previous list stays on the screen while a changed query loads: a search or a filter. */
  keepPrevious?: boolean;
  /** Milliseconds between refetches while somebody looks, who also gets one on return to the window. Default: none. */
  pollMs?: number;
  enabled?: boolean;
  /** Opens the entries of a page before they are shown. */
  open?: (items: RouteReply<R>) => Promise<RouteReply<R>>;
}

/** Describes a list route to TanStack Query, page by page. Asks for a fresh proof if the route needs one. */
export function pagesQuery<R extends Route>(
  route: R,
  { queryKey, params, query, staleTime = 0, keepPrevious = false, pollMs, enabled = true, open }: PagesOptions<R>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const place = { ...query, ...(pageParam !== '' && { cursor: pageParam }) } as RouteQueryInput<R>;
      const page = await withProof(() => callPage(route, { ...(params && { params }), query: place, signal }));
      return open ? { ...page, items: await open(page.items) } : page;
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime,
    enabled,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    ...(pollMs !== undefined && { refetchInterval: pollMs, refetchOnWindowFocus: true }),
  });
}

/** Lists what a route returns, page by page. */
export const usePages = <R extends Route>(route: R, options: PagesOptions<R>) =>
  useInfiniteQuery(pagesQuery(route, options));

/** Entries of one route's reply, in a list of its pages. */
export type PageItem<R extends Route> = RouteReply<R> extends readonly (infer Item)[] ? Item : never;
