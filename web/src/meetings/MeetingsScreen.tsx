import type { Meeting } from '@nolo/api';
import { ListFilter, LogIn, Plus, Video } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Virtuoso } from 'react-virtuoso';
import { useChatState } from '../chat/context/chatContext.ts';
import { ScreenHeader } from '../shell/ScreenHeader.tsx';
import { useSelf } from '../session/self.ts';
import { useOnline } from '../shell/useOnline.ts';
import { can } from '../device/abilities.ts';
import { Banner } from '../ui/Banner.tsx';
import { useShare } from '../shell/useShare.ts';
import { Button } from '../ui/Button.tsx';
import { DropdownMenu, MenuChoice } from '../ui/DropdownMenu.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { GroupChatsSection } from '../groups/GroupChatsSection.tsx';
import { useGroupChats } from '../chat/context/groupQueries.ts';
import { useGroupsExist } from '../groups/useGroupsExist.ts';
import { meetingPath, meetingUrl } from '../shell/meetingPath.ts';
import { MeetingCard } from './MeetingCard.tsx';
import { MeetingCounters } from './MeetingCounters.tsx';
import type { MeetingDialog } from './MeetingDialogs.tsx';
import { MeetingDialogs } from './MeetingDialogs.tsx';
import type { MeetingAction, MeetingFilter } from './meetingList.ts';
import { countMeetings, meetingFilters } from './meetingList.ts';
import type { MeetingListing } from './meetingQueries.ts';
import { useMeetings } from './meetingQueries.ts';
import { useMeetingChanges } from './useMeetingChanges.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';

type OnAct = (action: MeetingAction, meeting: Meeting) => void;

/** What a card's menu does: some of it at once, some by way of a dialog. */
function useActions(open: (dialog: MeetingDialog) => void): OnAct {
  const { t } = useMeetingsWords();
  const navigate = useNavigate();
  const { copy } = useShare();
  const { addToCalendar } = useMeetingChanges();
  return (action, meeting) => {
    switch (action) {
      case 'copyLink':
        return void copy(meetingUrl(meeting.roomCode), t('meetings.share.linkCopied'));
      case 'copyCode':
        return void copy(meeting.roomCode, t('roomCode.codeCopied'));
      case 'calendar':
        return void addToCalendar(meeting);
      case 'newCode':
        return open({ kind: 'code', meeting });
      case 'reopen':
        return void navigate(meetingPath(meeting.roomCode));
      default:
        return open({ kind: action, meeting });
    }
  };
}

/** One's meetings, live ones first, and the ways to make and to join one. */
export function MeetingsScreen() {
  const { t } = useMeetingsWords();
  const [dialog, setDialog] = useState<MeetingDialog | null>(null);
  const [filter, setFilter] = useState<MeetingFilter>('all');
  const all = useMeetings('all');
  const chosen = useMeetings(filter);
  const onAct = useActions(setDialog);
  const groupsExist = useGroupsExist();
  const groups = useGroupChats(groupsExist);
  const counts = useMemo(
    () => (all.meetings ? countMeetings(all.meetings, all.complete) : all.failed ? 'failed' : null),
    [all.meetings, all.complete, all.failed],
  );

  const top = (
    <div className="flex flex-col gap-5 px-4 pt-1 pb-3">
      <MeetingCounters
        counts={counts}
        groups={
          groups.groups ? { count: groups.groups.length, exact: groups.complete } : groups.failed ? 'failed' : null
        }
      />
      {groupsExist && <GroupChatsSection listing={groups} />}
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h2 className="truncate text-16 font-semibold">{t('meetings.recent')}</h2>
        <FilterMenu filter={filter} onFilter={setFilter} />
      </div>
    </div>
  );
  return (
    <div className="mx-auto flex min-h-0 w-full max-w-200 flex-1 flex-col">
      <ScreenHeader
        title={t('meetings.title')}
        actions={
          <span className="flex items-center gap-2 pe-2">
            {can.connect() && (
              <Button
                kind="secondary"
                className="max-sm:h-9 max-sm:px-3"
                icon={<LogIn aria-hidden="true" className="rtl:-scale-x-100" />}
                onClick={() => setDialog({ kind: 'join' })}
              >
                {t('meetings.join')}
              </Button>
            )}
            <Button
              className="max-sm:h-9 max-sm:px-3"
              icon={<Plus aria-hidden="true" />}
              onClick={() => setDialog({ kind: 'create' })}
            >
              {t('meetings.create')}
            </Button>
          </span>
        }
      />
      {!can.connect() && (
        <Banner tone="warning" className="mx-4 mb-2 rounded-card">
          {t('meetings.cannot')}
        </Banner>
      )}
      <MeetingList
        top={top}
        listing={chosen}
        filter={filter}
        onAct={onAct}
        onCreate={() => setDialog({ kind: 'create' })}
        onShowAll={() => setFilter('all')}
      />
      <MeetingDialogs entry="screen" dialog={dialog} onChange={setDialog} />
    </div>
  );
}

function FilterMenu({ filter, onFilter }: { filter: MeetingFilter; onFilter: (filter: MeetingFilter) => void }) {
  const { t } = useMeetingsWords();
  return (
    <DropdownMenu
      trigger={
        <Button
          kind={filter === 'all' ? 'quiet' : 'secondary'}
          size="small"
          className={filter === 'all' ? '-me-3' : undefined}
          icon={<ListFilter aria-hidden="true" />}
        >
          {t('meetings.filter')}
          {filter !== 'all' && <span className="text-accent-text">{t(`meetings.filters.${filter}`)}</span>}
        </Button>
      }
    >
      <MenuChoice
        label={t('meetings.filter')}
        value={filter}
        onValueChange={onFilter}
        options={meetingFilters.map((value) => ({ value, label: t(`meetings.filters.${value}`) }))}
      />
    </DropdownMenu>
  );
}

interface MeetingListProps {
  /** What scrolls away above the cards. */
  top: ReactNode;
  listing: MeetingListing;
  filter: MeetingFilter;
  onAct: OnAct;
  onCreate: () => void;
  onShowAll: () => void;
}

function MeetingList({ top, listing, filter, onAct, onCreate, onShowAll }: MeetingListProps) {
  const { t } = useMeetingsWords();
  const { id: selfId } = useSelf();
  const online = useOnline();
  // The line is believed to stand for a while after the network went.
  const offline = useChatState((state) => state.connection !== 'open') || !online;
  const { meetings, retry } = listing;
  if (meetings !== undefined && meetings.length > 0) {
    const bottom = listing.moreFailed && <MoreFailed onRetry={retry} />;
    return (
      <Virtuoso
        className="min-h-0 flex-1"
        data={meetings}
        context={{ top, bottom }}
        components={parts}
        computeItemKey={(_, { id }) => id}
        itemContent={(_, meeting) => (
          <div className="px-4 pb-3">
            <MeetingCard meeting={meeting} selfId={selfId} onAct={onAct} />
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
          title={t('meetings.loadFailed')}
          description={offline ? t('meetings.offlineText') : t('meetings.loadFailedText')}
          retrying={listing.fetching}
          onRetry={retry}
        />
      );
    }
    if (meetings === undefined) return <MeetingSkeletons />;
    if (filter !== 'all') {
      return (
        <EmptyState
          icon={<ListFilter />}
          title={t('meetings.nothingTitle')}
          description={t(`meetings.nothing.${filter}`)}
          action={
            <Button kind="secondary" onClick={onShowAll}>
              {t('meetings.showAll')}
            </Button>
          }
        />
      );
    }
    return (
      <EmptyState
        icon={<Video />}
        title={t('meetings.emptyTitle')}
        description={t('meetings.emptyText')}
        action={
          <Button icon={<Plus aria-hidden="true" />} onClick={onCreate}>
            {t('meetings.createMeeting')}
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
  const { t } = useMeetingsWords();
  return (
    <p role="alert" className="flex flex-wrap items-center justify-center gap-3 px-4 pb-4 text-13 text-muted">
      {t('meetings.loadMoreFailed')}
      <Button kind="secondary" size="small" onClick={onRetry}>
        {t('common.retry')}
      </Button>
    </p>
  );
}

/** Cards as they will be. */
function MeetingSkeletons() {
  const { t } = useMeetingsWords();
  return (
    <div role="status" aria-label={t('meetings.loading')} className="flex flex-col gap-3 px-4">
      {['w-2/5', 'w-1/2', 'w-1/3'].map((width) => (
        <div key={width} className="flex h-28 flex-col rounded-card border border-line bg-raised px-4 py-3.5">
          <Skeleton className={`h-5 ${width}`} />
          <Skeleton className="mt-3 h-3.5 w-3/5" />
          <Skeleton className="mt-auto h-5 w-1/4" />
        </div>
      ))}
    </div>
  );
}
