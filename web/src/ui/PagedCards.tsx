import type { ReactNode } from 'react';
import { Virtuoso } from 'react-virtuoso';
import { Button } from './Button.tsx';
import { ErrorState } from './ErrorState.tsx';
import type { PagedList } from './pagedList.ts';
import { Skeleton } from './Skeleton.tsx';
import { useTexts } from '../i18n/texts.ts';

interface PagedCardsProps<Item> {
  list: PagedList<Item>;
  /** Content above the cards, which scrolls with them. */
  top: ReactNode;
  words: { loading: string; failed: string; failedText: string; moreFailed: string };
  /** Placeholder in place of the cards if there are none. */
  empty: ReactNode;
  /** Classes of the three bars of each placeholder card. */
  skeletons: readonly (readonly [string, string, string])[];
  card: (item: Item) => ReactNode;
}

/** Lists cards page by page, or shows why there are none. */
export function PagedCards<Item extends { id: string }>({ card, ...props }: PagedCardsProps<Item>) {
  const { t } = useTexts();
  const { list, top, words, empty, skeletons } = props;
  const { items, retry } = list;
  if (items !== undefined && items.length > 0) {
    const bottom = list.moreFailed && (
      <p role="alert" className="flex flex-wrap items-center justify-center gap-3 px-4 pb-4 text-13 text-muted">
        {words.moreFailed}
        <Button kind="secondary" size="small" onClick={retry}>
          {t('common.retry')}
        </Button>
      </p>
    );
    return (
      <Virtuoso
        className="min-h-0 flex-1"
        data={items}
        context={{ top, bottom }}
        components={listComponents}
        computeItemKey={(_, { id }) => id}
        itemContent={(_, item) => <div className="px-4 pb-3">{card(item)}</div>}
        endReached={list.more}
        increaseViewportBy={400}
      />
    );
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {top}
      {list.failed ? (
        <ErrorState title={words.failed} description={words.failedText} retrying={list.fetching} onRetry={retry} />
      ) : items === undefined ? (
        <div role="status" aria-label={words.loading} className="flex flex-col gap-3 px-4">
          {skeletons.map(([first, second, third]) => (
            <div
              key={first + second}
              className="flex h-28 flex-col rounded-card border border-line bg-raised px-4 py-3.5"
            >
              <Skeleton className={first} />
              <Skeleton className={`mt-3 ${second}`} />
              <Skeleton className={`mt-auto ${third}`} />
            </div>
          ))}
        </div>
      ) : (
        empty
      )}
    </div>
  );
}

interface Around {
  top: ReactNode;
  bottom: ReactNode;
}

const listComponents = {
  Header: ({ context }: { context?: Around }) => context?.top,
  // Padding below the last card, so that it does not touch the edge of the screen.
  Footer: ({ context }: { context?: Around }) => <div className="min-h-4">{context?.bottom}</div>,
};
