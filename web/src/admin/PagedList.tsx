import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { MoreButton } from '../ui/MoreButton.tsx';
import { QueryPlaceholder } from '../ui/QueryPlaceholder.tsx';
import { useTexts } from '../i18n/texts.ts';
import { adminTexts } from './adminTexts.ts';

interface PagedListProps<T> {
  list: UseInfiniteQueryResult<InfiniteData<{ items: readonly T[] }>>;
  empty?: ReactNode;
  /** Name of the list, for screen readers. */
  label?: string;
  className?: string;
  /** True for items that are cards of the page rather than entries of a list. */
  cards?: boolean;
  children: (item: T) => ReactNode;
}

/** Paged list for operators: loading, failed, empty, or loaded, with a button for more. */
export function PagedList<T>({
  list,
  empty,
  label,
  className = 'flex flex-col gap-2',
  cards = false,
  children,
}: PagedListProps<T>) {
  const { t } = useTexts(adminTexts);
  const items = list.data?.pages.flatMap((page) => page.items);
  if (items === undefined) {
    return <QueryPlaceholder className="" query={list} failed={t('admin:loadFailed')} loading={t('admin:loading')} />;
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
      <MoreButton list={list} className="self-center">
        {t('admin:more')}
      </MoreButton>
    </>
  );
}
