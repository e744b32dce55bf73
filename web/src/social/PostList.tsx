import { CalendarClock, ListFilter, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Virtuoso } from 'react-virtuoso';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import type { PostCardProps } from './PostCard.tsx';
import { PostCard } from './PostCard.tsx';
import type { PostFilter } from './socialQueries.ts';
import { usePosts } from './socialQueries.ts';
import { useSocialWords } from './useSocialWords.ts';

interface PostListProps extends Omit<PostCardProps, 'post'> {
  /** Content above the cards, which scrolls with them. */
  top: ReactNode;
  filter: PostFilter;
  offline: boolean;
  onCompose: () => void;
  onShowAll: () => void;
}

/** Lists the user's posts as cards, or shows a placeholder. */
export function PostList({ top, filter, offline, onCompose, onShowAll, ...cardProps }: PostListProps) {
  const { t } = useSocialWords();
  const listing = usePosts(filter);
  const { posts, retry } = listing;
  if (posts !== undefined && posts.length > 0) {
    const bottom = listing.moreFailed && <MoreFailed onRetry={retry} />;
    return (
      <Virtuoso
        className="min-h-0 flex-1"
        data={posts}
        context={{ top, bottom }}
        components={listComponents}
        computeItemKey={(_, { id }) => id}
        itemContent={(_, post) => (
          <div className="px-4 pb-3">
            <PostCard post={post} {...cardProps} />
          </div>
        )}
        endReached={listing.more}
        increaseViewportBy={400}
      />
    );
  }
  const body = () => {
    if (listing.failed) {
      return (
        <ErrorState
          title={t('social.loadFailed')}
          description={offline ? t('social.offlineText') : t('social.loadFailedText')}
          retrying={listing.fetching}
          onRetry={retry}
        />
      );
    }
    if (posts === undefined) return <PostSkeletons />;
    if (filter !== 'all') {
      return (
        <EmptyState
          icon={<ListFilter />}
          title={t('social.nothingTitle')}
          description={t('social.nothingText')}
          action={
            <Button kind="secondary" onClick={onShowAll}>
              {t('social.showAll')}
            </Button>
          }
        />
      );
    }
    return (
      <EmptyState
        icon={<CalendarClock />}
        title={t('social.emptyTitle')}
        description={t('social.emptyText')}
        action={
          <Button kind="secondary" icon={<Plus aria-hidden="true" />} onClick={onCompose}>
            {t('social.schedulePost')}
          </Button>
        }
      />
    );
  };
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {top}
      {body()}
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

function MoreFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useSocialWords();
  return (
    <p role="alert" className="flex flex-wrap items-center justify-center gap-3 px-4 pb-4 text-13 text-muted">
      {t('social.moreFailed')}
      <Button kind="secondary" size="small" onClick={onRetry}>
        {t('common.retry')}
      </Button>
    </p>
  );
}

/** Placeholder cards. */
function PostSkeletons() {
  const { t } = useSocialWords();
  return (
    <div role="status" aria-label={t('social.loading')} className="flex flex-col gap-3 px-4">
      {['w-4/5', 'w-1/2', 'w-2/3'].map((width) => (
        <div key={width} className="flex h-28 flex-col rounded-card border border-line bg-raised px-4 py-3.5">
          <Skeleton className="h-5 w-1/4" />
          <Skeleton className={`mt-3 h-4 ${width}`} />
          <Skeleton className="mt-auto h-6 w-1/5" />
        </div>
      ))}
    </div>
  );
}
