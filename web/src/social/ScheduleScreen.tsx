import type { SocialPost } from '@nolo/api';
import { CalendarClock, ListFilter, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Virtuoso } from 'react-virtuoso';
import { useChatState } from '../chat/context/chatContext.ts';
import { ScreenHeader } from '../shell/ScreenHeader.tsx';
import { useOnline } from '../shell/useOnline.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { DropdownMenu, MenuChoice } from '../ui/DropdownMenu.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { classNames } from '../ui/classNames.ts';
import { Segmented } from '../ui/Segmented.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { CalendarPosts } from './CalendarPosts.tsx';
import { ComposeDialog } from './ComposeDialog.tsx';
import type { PostAction } from './model/postActions.ts';
import { PostCard } from './PostCard.tsx';
import type { PostCardProps } from './PostCard.tsx';
import { PostCounters } from './PostCounters.tsx';
import type { PostFilter } from './socialQueries.ts';
import { usePosts, useSocialUpkeep } from './socialQueries.ts';
import { usePostChanges } from './usePostChanges.ts';
import { useReconnecting } from './useReconnecting.tsx';
import { scheduleViews, useScheduleView } from './useScheduleView.ts';
import { useSocialWords } from './useSocialWords.ts';

const filters: readonly PostFilter[] = [
  'all',
  'scheduled',
  'published',
  'failed',
  'needs_review',
  'draft',
  'cancelled',
];

type ScheduleDialog = { kind: 'compose'; post?: SocialPost } | { kind: 'remove'; post: SocialPost } | null;

/** One's posts to social platforms: what waits, what is out, and what went wrong. */
export function ScheduleScreen() {
  const { t } = useSocialWords();
  useSocialUpkeep();
  const [filter, setFilter] = useState<PostFilter>('all');
  const [dialog, setDialog] = useState<ScheduleDialog>(null);
  const [view, setView] = useScheduleView();
  const online = useOnline();
  // The line is believed to stand for a while after the network went.
  const offline = useChatState((state) => state.connection !== 'open') || !online;
  const changes = usePostChanges();
  const { reconnect, asking } = useReconnecting();
  const close = () => setDialog(null);
  const compose = () => setDialog({ kind: 'compose' });

  const onAct = (action: PostAction, post: SocialPost): void => {
    if (action === 'edit') setDialog({ kind: 'compose', post });
    else if (action === 'remove') setDialog({ kind: 'remove', post });
    else void changes[action](post);
  };
  const top = (
    <div className="flex flex-col gap-5 px-4 pt-1 pb-3">
      {view === 'list' && <PostCounters />}
      <div className="flex min-h-8 items-center gap-3">
        <h2 className="min-w-0 flex-1 truncate text-16 font-semibold">{t('social.yourPosts')}</h2>
        <FilterMenu filter={filter} onFilter={setFilter} />
        <Segmented
          label={t('social.view')}
          value={view}
          onValueChange={setView}
          options={scheduleViews.map((value) => ({ value, label: t(`social.views.${value}`) }))}
          className="shrink-0 whitespace-nowrap max-[56rem]:hidden"
        />
      </div>
    </div>
  );
  const cardProps: Omit<PostCardProps, 'post'> = {
    onAct,
    onReconnect: reconnect,
    onReview: (post, deliveryId, wentOut) => void changes.review(post, deliveryId, wentOut),
  };
  return (
    <div
      className={classNames('mx-auto flex min-h-0 w-full flex-1 flex-col', view === 'list' ? 'max-w-200' : 'max-w-400')}
    >
      <ScreenHeader
        title={t('social.title')}
        actions={
          <Button className="me-2 max-sm:h-9 max-sm:px-3" icon={<Plus aria-hidden="true" />} onClick={compose}>
            {t('social.schedulePost')}
          </Button>
        }
      />
      {view === 'list' ? (
        <PostList
          top={top}
          filter={filter}
          offline={offline}
          onCompose={compose}
          onShowAll={() => setFilter('all')}
          {...cardProps}
        />
      ) : (
        <>
          {top}
          <CalendarPosts span={view} filter={filter} offline={offline} onMove={changes.move} {...cardProps} />
        </>
      )}
      {asking}
      {dialog?.kind === 'compose' && (
        <ComposeDialog entry="schedule" onClose={close} {...(dialog.post && { post: dialog.post })} />
      )}
      {dialog?.kind === 'remove' && (
        <ConfirmDialog
          open
          title={t('social.removal.title')}
          text={t('social.removal.text')}
          confirmLabel={t('social.removal.confirm')}
          onCancel={close}
          onConfirm={async () => {
            if (await changes.remove(dialog.post)) close();
          }}
        />
      )}
    </div>
  );
}

function FilterMenu({ filter, onFilter }: { filter: PostFilter; onFilter: (filter: PostFilter) => void }) {
  const { t } = useSocialWords();
  const label = (value: PostFilter) =>
    value === 'publishing' ? t('social.states.publishing') : t(`social.filters.${value}`);
  return (
    <DropdownMenu
      trigger={
        <Button
          kind={filter === 'all' ? 'quiet' : 'secondary'}
          size="small"
          className={filter === 'all' ? '-me-3' : undefined}
          icon={<ListFilter aria-hidden="true" />}
        >
          {t('social.filter')}
          {filter !== 'all' && <span className="text-accent-text">{label(filter)}</span>}
        </Button>
      }
    >
      <MenuChoice
        label={t('social.filter')}
        value={filter}
        onValueChange={onFilter}
        options={filters.map((value) => ({ value, label: label(value) }))}
      />
    </DropdownMenu>
  );
}

interface PostListProps extends Omit<PostCardProps, 'post'> {
  /** What scrolls away above the cards. */
  top: ReactNode;
  filter: PostFilter;
  offline: boolean;
  onCompose: () => void;
  onShowAll: () => void;
}

function PostList({ top, filter, offline, onCompose, onShowAll, ...cardProps }: PostListProps) {
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
        components={parts}
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

const parts = {
  Header: ({ context }: { context?: Around }) => context?.top,
  // Room under the last card, so that it is not cut at the screen's edge.
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

/** Cards as they will be. */
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
