import { CalendarClock, ListFilter, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PagedCards } from '../ui/PagedCards.tsx';
import { PostCard, type PostCardProps } from './PostCard.tsx';
import { usePosts, type PostFilter } from './socialQueries.ts';
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
  return (
    <PagedCards
      list={usePosts(filter)}
      top={top}
      words={{
        loading: t('social.loading'),
        failed: t('social.loadFailed'),
        failedText: offline ? t('social.offlineText') : t('social.loadFailedText'),
        moreFailed: t('social.moreFailed'),
      }}
      skeletons={['w-4/5', 'w-1/2', 'w-2/3'].map((width) => ['h-5 w-1/4', `h-4 ${width}`, 'h-6 w-1/5'])}
      card={(post) => <PostCard post={post} {...cardProps} />}
      empty={
        filter === 'all' ? (
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
        ) : (
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
        )
      }
    />
  );
}
