import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { useOperatorWords } from './useOperatorWords.ts';

export interface PagedListProps<T> {
  list: UseInfiniteQueryResult<InfiniteData<{ items: readonly T[] }>>;
  /** Content shown in place of an empty list. */
  empty?: ReactNode;
  /** Renders all items loaded so far. */
  children: (items: readonly T[]) => ReactNode;
}

/** Paged list for operators: loading, failed, empty, or loaded, with a button for more. */
export function PagedList<T>({ list, empty, children }: PagedListProps<T>) {
  const { t } = useOperatorWords();
  const { data, isError, isFetching, isFetchingNextPage, hasNextPage, refetch, fetchNextPage } = list;
  const all = data?.pages.flatMap(({ items }) => items);
  if (all === undefined) {
    return isError ? (
      <ErrorState title={t('admin.loadFailed')} retrying={isFetching} onRetry={() => void refetch()} />
    ) : (
      <SkeletonRows label={t('admin.loading')} />
    );
  }
  if (all.length === 0 && empty !== undefined) return empty;
  return (
    <>
      {children(all)}
      {hasNextPage && (
        <Button kind="secondary" className="self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('admin.more')}
        </Button>
      )}
    </>
  );
}
