import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './ErrorState.tsx';
import { SkeletonRows } from './Skeleton.tsx';

export interface QueryPlaceholderProps {
  query: Pick<UseQueryResult, 'isError' | 'isFetching' | 'refetch'>;
  /** Title of the error. */
  failed: string;
  /** Name of what loads, for screen readers. */
  loading?: string;
  /** Number of placeholder rows. */
  rows?: number;
  /** Classes of the error. Default: for the inside of a card. */
  className?: string;
  /** Placeholder in place of rows. */
  children?: ReactNode;
}

/** Shown in place of a query's data until there is some: that it loads, or that it failed and can be retried. */
export function QueryPlaceholder({
  query: { isError, isFetching, refetch },
  failed,
  loading = '',
  rows,
  className = 'py-4!',
  children,
}: QueryPlaceholderProps) {
  if (isError) {
    return <ErrorState className={className} title={failed} retrying={isFetching} onRetry={() => void refetch()} />;
  }
  return children ?? <SkeletonRows label={loading} {...(rows !== undefined && { rows })} />;
}
