import type { SocialPost } from '@nolo/api';
import { ListFilter, Plus } from 'lucide-react';
import { useState } from 'react';
import { useChatState } from '../chat/context/chatContext.ts';
import { Panes } from '../shell/Panes.tsx';
import { ScreenHeader } from '../shell/ScreenHeader.tsx';
import { useOnline } from '../shell/useOnline.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { DropdownMenu, MenuChoice } from '../ui/DropdownMenu.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { PostCalendarWithList } from './PostCalendarWithList.tsx';
import { ComposePostDialog } from './ComposePostDialog.tsx';
import type { PostAction } from './model/postActions.ts';
import type { PostCardProps } from './PostCard.tsx';
import { PostList } from './PostList.tsx';
import { PostCounters } from './PostCounters.tsx';
import type { PostFilter } from './socialQueries.ts';
import { useRefetchSocialOnReconnect } from './socialQueries.ts';
import { useSocialPostActions } from './useSocialPostActions.ts';
import { useReconnectPlatform } from './useReconnectPlatform.tsx';
import type { CalendarSpan } from './model/calendar.ts';
import type { ScheduleView } from './useScheduleView.ts';
import { calendarSpans, scheduleViews, useScheduleView } from './useScheduleView.ts';
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

/** Lists the user's posts to social platforms: pending, published, and failed. */
export function ScheduleScreen() {
  const { t } = useSocialWords();
  useRefetchSocialOnReconnect();
  const [filter, setFilter] = useState<PostFilter>('all');
  const [dialog, setDialog] = useState<ScheduleDialog>(null);
  const { view, span, framed, choose: setView } = useScheduleView();
  const online = useOnline();
  // The socket still counts as open for a while after the network fails.
  const offline = useChatState((state) => state.connection !== 'open') || !online;
  const changes = useSocialPostActions();
  const { reconnect, connectDialog } = useReconnectPlatform();
  const close = () => setDialog(null);
  const compose = () => setDialog({ kind: 'compose' });

  const onAct = (action: PostAction, post: SocialPost): void => {
    if (action === 'edit') setDialog({ kind: 'compose', post });
    else if (action === 'remove') setDialog({ kind: 'remove', post });
    else void changes[action](post);
  };
  const cardProps: Omit<PostCardProps, 'post'> = {
    onAct,
    onReconnect: reconnect,
    onReview: (post, deliveryId, wentOut) => void changes.review(post, deliveryId, wentOut),
  };
  const header = (
    <ScreenHeader
      title={t('social.title')}
      actions={
        <Button className="me-2 max-sm:h-9 max-sm:px-3" icon={<Plus aria-hidden="true" />} onClick={compose}>
          {t('social.schedulePost')}
        </Button>
      }
    />
  );
  const top = (
    <div className="flex flex-col gap-5 px-4 pt-1 pb-3">
      {view === 'list' && <PostCounters />}
      <div className="flex min-h-8 items-center gap-3">
        <h2 className="min-w-0 flex-1 truncate text-16 font-semibold">{t('social.yourPosts')}</h2>
        <FilterMenu filter={filter} onFilter={setFilter} />
        {!framed && <ViewChoice value={view} views={scheduleViews} onChange={setView} />}
      </div>
    </div>
  );
  const list = (
    <PostList
      top={top}
      filter={filter}
      offline={offline}
      onCompose={compose}
      onShowAll={() => setFilter('all')}
      {...cardProps}
    />
  );
  const calendar = (span: CalendarSpan) => (
    <PostCalendarWithList span={span} filter={filter} offline={offline} onMove={changes.move} {...cardProps} />
  );
  return (
    <>
      {framed ? (
        <Panes
          list={
            <>
              {header}
              {list}
            </>
          }
          content={
            <>
              <div className="box-content flex h-16 shrink-0 items-center justify-end px-4 pt-[env(safe-area-inset-top)]">
                <ViewChoice value={span} views={calendarSpans} onChange={setView} />
              </div>
              {calendar(span)}
            </>
          }
          contentOpen={false}
        />
      ) : (
        <div className="mx-auto flex min-h-0 w-full max-w-200 flex-1 flex-col">
          {header}
          {view === 'list' ? (
            list
          ) : (
            <>
              {top}
              {calendar(view)}
            </>
          )}
        </div>
      )}
      {connectDialog}
      {dialog?.kind === 'compose' && (
        <ComposePostDialog entry="schedule" onClose={close} {...(dialog.post && { post: dialog.post })} />
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
    </>
  );
}

interface ViewChoiceProps {
  value: ScheduleView;
  views: readonly ScheduleView[];
  onChange: (view: ScheduleView) => void;
}

/** Selects the view of the posts if there is room for several. */
function ViewChoice({ value, views, onChange }: ViewChoiceProps) {
  const { t } = useSocialWords();
  return (
    <Segmented
      label={t('social.view')}
      value={value}
      onValueChange={onChange}
      options={views.map((view) => ({ value: view, label: t(`social.views.${view}`) }))}
      className="shrink-0 whitespace-nowrap max-[56rem]:hidden"
    />
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
