import type { SocialPost } from '@nolo/api';
import { useMemo, useState } from 'react';
import { serverNow } from '../api/serverClock.ts';
import { useLocale } from '../i18n/locale.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { PostCalendar, firstWeekday } from './PostCalendar.tsx';
import { toDay, toTimeRange, listShownDays, type CalendarSpan, type MovedTime } from './model/calendar.ts';
import { PostCard, type PostCardProps } from './PostCard.tsx';
import { usePostsBetween, type PostFilter } from './socialQueries.ts';
import { useTexts } from '../i18n/texts.ts';
import { socialTexts } from './socialTexts.ts';

interface PostCalendarWithListProps extends Omit<PostCardProps, 'post'> {
  span: CalendarSpan;
  filter: PostFilter;
  offline: boolean;
  onMove: (post: SocialPost, time: MovedTime) => void;
}

/** Calendar with its posts, and the list of opened posts. */
export function PostCalendarWithList({
  span,
  filter,
  offline,
  onMove,
  onAct,
  ...cardProps
}: PostCalendarWithListProps) {
  const { t } = useTexts(socialTexts);
  const locale = useLocale();
  const [day, setDay] = useState(() => toDay(new Date(serverNow())));
  const range = useMemo(() => toTimeRange(listShownDays(span, day, firstWeekday(locale))), [span, day, locale]);
  const { data, isError, isFetching, refetch } = usePostsBetween(range, filter);
  const [opened, setOpened] = useState<{ title: string; ids: readonly string[] } | null>(null);
  const shown = opened && data?.posts.filter(({ id }) => opened.ids.includes(id));

  if (!data) {
    if (isError) {
      return (
        <ErrorState
          title={t('social:loadFailed')}
          description={offline ? t('social:offlineText') : t('social:loadFailedText')}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      );
    }
    return (
      <div role="status" aria-label={t('social:calendar.loading')} className="flex min-h-0 flex-1 flex-col gap-3 p-4">
        <Skeleton className="h-8 w-60" />
        <Skeleton className="min-h-0 flex-1" />
      </div>
    );
  }
  return (
    <>
      {!data.complete && <p className="px-4 pb-3 text-13 text-muted">{t('social:calendar.notAll')}</p>}
      <PostCalendar
        span={span}
        day={day}
        onDay={setDay}
        posts={data.posts}
        onOpen={(title, posts) => setOpened({ title, ids: posts.map(({ id }) => id) })}
        onMove={onMove}
      />
      {opened && shown && shown.length > 0 && (
        <Dialog open size="large" title={opened.title} onOpenChange={() => setOpened(null)}>
          <div className="flex flex-col gap-3">
            {shown.map((post) => (
              <PostCard
                key={post.id}
                post={post}
                {...cardProps}
                onAct={(action, chosen) => {
                  // Actions with their own dialog replace this one.
                  if (action === 'edit' || action === 'remove') setOpened(null);
                  onAct(action, chosen);
                }}
              />
            ))}
          </div>
        </Dialog>
      )}
    </>
  );
}
