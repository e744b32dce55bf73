import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ResultPage } from '../api/httpClient.ts';

export interface PagedList<Item> {
  /** Undefined until the first response. */
  items: readonly Item[] | undefined;
  complete: boolean;
  failed: boolean;
  /** True if the first page loaded and a further one failed. */
  moreFailed: boolean;
  fetching: boolean;
  retry: () => void;
  more: () => void;
}

/** Returns the pages as one list. Pages that load one after another may overlap if an entry moved in between. */
export function usePagedList<Item extends { id: string }>(
  query: UseInfiniteQueryResult<InfiniteData<ResultPage<readonly Item[]>>>,
): PagedList<Item> {
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, refetch } = query;
  const items = useMemo(
    () => data && [...new Map(data.pages.flatMap((page) => page.items).map((item) => [item.id, item])).values()],
    [data],
  );
  return {
    items,
    complete: !hasNextPage,
    failed: query.isError && items === undefined,
    moreFailed: isFetchNextPageError,
    fetching: isFetching,
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
    more: () => {
      if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
    },
  };
}
