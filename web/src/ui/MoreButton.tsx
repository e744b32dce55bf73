import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ButtonProps } from './Button.tsx';
import { Button } from './Button.tsx';

export interface MoreButtonProps extends ButtonProps {
  list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
}

/** Loads the next page of a list. Shows nothing after the last page. */
export function MoreButton({ list: { hasNextPage, isFetchingNextPage, fetchNextPage }, ...button }: MoreButtonProps) {
  if (!hasNextPage) return null;
  return <Button kind="secondary" {...button} busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />;
}
