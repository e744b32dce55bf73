import type { SocialPost, SocialPlatformState } from '@nolo/api';
import { Plus, CalendarClock, CircleCheck, CircleQuestionMark, Layers, TriangleAlert, ListFilter } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { SocialPlatform } from '@nolo/rules';
import { useChatState } from '../chat/context/chatContext.ts';
import { Panes } from '../shell/Panes.tsx';
import { ScreenHeader } from '../shell/ScreenHeader.tsx';
import { useOnline } from '../shell/useOnline.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { CounterTile } from '../ui/CounterTile.tsx';
import { FilterMenu } from '../ui/FilterMenu.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { useMediaQuery } from '../shell/useMediaQuery.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PagedCards } from '../ui/PagedCards.tsx';
import { PostCalendarWithList } from './PostCalendarWithList.tsx';
import { ComposePostDialog } from './ComposePostDialog.tsx';
import type { PostAction } from './model/postActions.ts';
import { PostCard, type PostCardProps } from './PostCard.tsx';
import {
  useRefetchSocialOnReconnect,
  usePlatforms,
  usePostCounts,
  type PostFilter,
  usePosts,
} from './socialQueries.ts';
import { useSocialPostActions } from './useSocialPostActions.ts';
import type { CalendarSpan } from './model/calendar.ts';
import { ConnectDialog } from './ConnectDialog.tsx';
import { useConnectPlatform } from './useConnectPlatform.ts';
import { useTexts } from '../i18n/texts.ts';
import { socialTexts } from './socialTexts.ts';

const counters = [
  ['scheduled', CalendarClock],
  ['published', CircleCheck],
  ['failed', TriangleAlert],
  ['needsReview', CircleQuestionMark],
  ['total', Layers],
] as const;

function PostCounters() {
  const { t } = useTexts(socialTexts);
  const { data, isError } = usePostCounts();
  return (
    // Container as wide as the list below it.
    <div className="@container">
      <div className="grid grid-cols-2 gap-3">
        {counters.map(([name, Icon]) => (
          <CounterTile
            key={name}
            className="px-4 last:col-span-2"
            label={t(`social:counts.${name}`)}
            Icon={Icon}
            value={data?.[name] ?? (isError ? '–' : undefined)}
          />
        ))}
      </div>
    </div>
  );
}

const scheduleViews = ['list', 'week', 'month'] as const;
type ScheduleView = (typeof scheduleViews)[number];
const calendarSpans = ['week', 'month'] as const satisfies readonly CalendarSpan[];

const storageKey = 'nolo_schedule_view';
/** Minimum width for seven days. The choice is hidden below the same width. */
const roomForDays = '(min-width: 56rem)';

const isView = (value: string | null): value is ScheduleView => scheduleViews.some((view) => view === value);

/** Minimum width at which the list is beside the days. */
const roomForBoth = '(min-width: 1024px)';

/** Returns the view of posts as last chosen on this device. On narrow screens, always the list. */
function useScheduleView() {
  const hasRoom = useMediaQuery(roomForDays);
  const framed = useMediaQuery(roomForBoth);
  const [kept, setKept] = useState<ScheduleView>(() => {
    const found = localStorage.getItem(storageKey);
    return isView(found) ? found : 'list';
  });
  const choose = (chosen: ScheduleView): void => {
    localStorage.setItem(storageKey, chosen);
    setKept(chosen);
  };
  const span: CalendarSpan = kept === 'list' ? 'month' : kept;
  return {
    /** Current view, if only one is shown at a time. */
    view: framed || !hasRoom ? 'list' : kept,
    /** Period of the calendar beside the list, if there is one. */
    span,
    framed,
    choose,
  } as const;
}

/** Reconnects the account for which a post was rejected. `connectDialog` shows any input needed first. */
function useReconnectPlatform() {
  const { data: platforms } = usePlatforms();
  const { connect } = useConnectPlatform();
  const [platformToConnect, setPlatformToConnect] = useState<SocialPlatformState | null>(null);
  return {
    reconnect: (id: SocialPlatform): void => {
      const platform = platforms?.find((one) => one.id === id);
      if (platform?.connectBy === 'window') void connect(platform);
      else if (platform) setPlatformToConnect(platform);
    },
    connectDialog: platformToConnect && (
      <ConnectDialog
        platform={platformToConnect}
        onConnect={(credentials) => connect(platformToConnect, credentials)}
        onClose={() => setPlatformToConnect(null)}
      />
    ),
  };
}

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

export function ScheduleScreen() {
  const { t } = useTexts(socialTexts);
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
      title={t('social:title')}
      actions={
        <Button className="me-2 max-sm:h-9 max-sm:px-3" icon={<Plus aria-hidden="true" />} onClick={compose}>
          {t('social:schedulePost')}
        </Button>
      }
    />
  );
  const top = (
    <div className="flex flex-col gap-5 px-4 pt-1 pb-3">
      {view === 'list' && <PostCounters />}
      <div className="flex min-h-8 items-center gap-3">
        <h2 className="min-w-0 flex-1 truncate text-16 font-semibold">{t('social:yourPosts')}</h2>
        <FilterMenu
          label={t('social:filter')}
          value={filter}
          values={filters}
          labelOf={(value) => (value === 'publishing' ? t('social:states.publishing') : t(`social:filters.${value}`))}
          onChange={setFilter}
        />
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
          title={t('social:removal.title')}
          text={t('social:removal.text')}
          confirmLabel={t('social:removal.confirm')}
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
  const { t } = useTexts(socialTexts);
  return (
    <Segmented
      label={t('social:view')}
      value={value}
      onValueChange={onChange}
      options={views.map((view) => ({ value: view, label: t(`social:views.${view}`) }))}
      className="shrink-0 whitespace-nowrap max-[56rem]:hidden"
    />
  );
}

interface PostListProps extends Omit<PostCardProps, 'post'> {
  /** Content above the cards, which scrolls with them. */
  top: ReactNode;
  filter: PostFilter;
  offline: boolean;
  onCompose: () => void;
  onShowAll: () => void;
}

function PostList({ top, filter, offline, onCompose, onShowAll, ...cardProps }: PostListProps) {
  const { t } = useTexts(socialTexts);
  return (
    <PagedCards
      list={usePosts(filter)}
      top={top}
      words={{
        loading: t('social:loading'),
        failed: t('social:loadFailed'),
        failedText: offline ? t('social:offlineText') : t('social:loadFailedText'),
        moreFailed: t('social:moreFailed'),
      }}
      skeletons={['w-4/5', 'w-1/2', 'w-2/3'].map((width) => ['h-5 w-1/4', `h-4 ${width}`, 'h-6 w-1/5'])}
      card={(post) => <PostCard post={post} {...cardProps} />}
      empty={
        filter === 'all' ? (
          <EmptyState
            icon={<CalendarClock />}
            title={t('social:emptyTitle')}
            description={t('social:emptyText')}
            action={
              <Button kind="secondary" icon={<Plus aria-hidden="true" />} onClick={onCompose}>
                {t('social:schedulePost')}
              </Button>
            }
          />
        ) : (
          <EmptyState
            icon={<ListFilter />}
            title={t('social:nothingTitle')}
            description={t('social:nothingText')}
            action={
              <Button kind="secondary" onClick={onShowAll}>
                {t('social:showAll')}
              </Button>
            }
          />
        )
      }
    />
  );
}
