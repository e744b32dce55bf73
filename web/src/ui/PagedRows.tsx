import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button, type ButtonProps } from './Button.tsx';
import { QueryPlaceholder, type QueryPlaceholderProps } from './QueryPlaceholder.tsx';

export interface PagedRowsProps<Item> {
  list: UseInfiniteQueryResult<InfiniteData<{ items: readonly Item[] }>>;
  /** Items to show, if they are not exactly those of the pages. */
  items?: readonly Item[] | undefined;
  words: { failed: string; loading?: string; more: string; moreFailed?: string };
  /** Placeholder in place of the rows if there are none. */
  empty?: ReactNode;
  /** Name of the list, for screen readers. */
  label?: string;
  className?: string;
  /** True for items that are cards of the page rather than entries of a list. */
  cards?: boolean;
  /** Looks of the placeholder while there is no data. */
  placeholder?: Pick<QueryPlaceholderProps, 'rows' | 'className' | 'children'>;
  /** Looks of the button that loads the next page. */
  moreButton?: ButtonProps;
  children: (item: Item) => ReactNode;
}

/** Lists rows page by page, with a button for more, or shows why there are none. */
export function PagedRows<Item>({
  list,
  items = list.data?.pages.flatMap((page) => page.items),
  words,
  empty,
  label,
  className,
  cards = false,
  placeholder,
  moreButton,
  children,
}: PagedRowsProps<Item>) {
  if (items === undefined) {
    return <QueryPlaceholder query={list} failed={words.failed} loading={words.loading} {...placeholder} />;
  }
  if (items.length === 0 && empty !== undefined) return empty;
  return (
    <>
      {cards ? (
        items.map(children)
      ) : (
        <ul aria-label={label} className={className}>
          {items.map(children)}
        </ul>
      )}
      {words.moreFailed !== undefined && list.isError && (
        <p className="mt-3 text-13 text-danger-text">{words.moreFailed}</p>
      )}
      {list.hasNextPage && (
        <Button
          kind="secondary"
          {...moreButton}
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {words.more}
        </Button>
      )}
    </>
  );
}
