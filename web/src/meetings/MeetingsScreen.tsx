import { LogIn, Plus, Video, ListFilter } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { Panes } from '../shell/Panes.tsx';
import { ScreenHeader } from '../shell/ScreenHeader.tsx';
import { browserSupport } from '../device/browserSupport.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FilterMenu } from '../ui/FilterMenu.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { GroupChatsSection } from '../groups/GroupChatsSection.tsx';
import { useGroupChats } from '../chat/context/groupScreenQueries.ts';
import { useAreGroupsAvailable } from '../groups/useAreGroupsAvailable.ts';
import { useChatState } from '../chat/context/chatContext.ts';
import { useSelf } from '../session/self.ts';
import { useOnline } from '../shell/useOnline.ts';
import { PagedCards } from '../ui/PagedCards.tsx';
import { MeetingCounters } from './MeetingCounters.tsx';
import { BackToMeetings, MeetingDetails } from './MeetingDetails.tsx';
import { MeetingDialogs, type MeetingDialogRequest } from './MeetingDialogs.tsx';
import { countMeetings, meetingFilters, type MeetingFilter } from './meetingList.ts';
import { useMeetings, type MeetingListing } from './meetingQueries.ts';
import { useMeetingActionHandler, type MeetingActionHandler } from './useMeetingActionHandler.ts';
import { MeetingCard } from './MeetingCard.tsx';
import { useTexts } from '../i18n/texts.ts';
import { meetingsTexts } from './meetingsTexts.ts';

/** Lists the user's meetings, live ones first, beside the open one. */
export function MeetingsScreen() {
  const { id } = useParams();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<MeetingDialogRequest | null>(null);
  const [filter, setFilter] = useState<MeetingFilter>('all');
  const all = useMeetings('all');
  const chosen = useMeetings(filter);
  const onAct = useMeetingActionHandler(setDialog);
  const open = useOpenMeeting(id, all);
  const create = () => setDialog({ kind: 'create' });
  const toList = () => void navigate('/meetings', { replace: true });
  return (
    <>
      <Panes
        list={
          <>
            <MeetingsHeader onJoin={() => setDialog({ kind: 'join' })} onCreate={create} />
            <MeetingList
              openId={id}
              top={<MeetingsTop all={all} filter={filter} onFilter={setFilter} />}
              listing={chosen}
              filter={filter}
              onAct={onAct}
              onCreate={create}
              onShowAll={() => setFilter('all')}
            />
          </>
        }
        content={
          open === null ? (
            <NoMeeting chosen={id !== undefined} listing={all} onBack={toList} />
          ) : (
            <MeetingDetails key={open.id} meeting={open} onAct={onAct} onBack={toList} />
          )
        }
        contentOpen={id !== undefined}
      />
      <MeetingDialogs entry="screen" dialog={dialog} onChange={setDialog} />
    </>
  );
}

/** Returns the meeting in the address, and loads further pages if it is not on the first. */
function useOpenMeeting(id: string | undefined, { items: meetings, complete, more }: MeetingListing) {
  const found = id === undefined ? undefined : meetings?.find((meeting) => meeting.id === id);
  const missing = id !== undefined && found === undefined && meetings !== undefined && !complete;
  useEffect(() => {
    if (missing) more();
  });
  return found ?? null;
}

function MeetingsHeader({ onJoin, onCreate }: { onJoin: () => void; onCreate: () => void }) {
  const { t } = useTexts(meetingsTexts);
  // Narrow lists and the narrowest phones drop the icons to make room for the text.
  const small = '@max-[22rem]:h-9 @max-[22rem]:px-3 @max-[22rem]:[&_svg]:hidden max-md:h-9 max-md:px-3';
  return (
    <div className="@container shrink-0">
      <ScreenHeader
        title={t('meetings:title')}
        actions={
          <span className="flex items-center gap-2 pe-2">
            {browserSupport.connect() && (
              <Button
                kind="secondary"
                className={small}
                icon={<LogIn aria-hidden="true" className="rtl:-scale-x-100" />}
                onClick={onJoin}
              >
                {t('meetings:join')}
              </Button>
            )}
            <Button className={small} icon={<Plus aria-hidden="true" />} onClick={onCreate}>
              {t('meetings:create')}
            </Button>
          </span>
        }
      />
      {!browserSupport.connect() && (
        <Banner tone="warning" className="mx-4 mb-2 rounded-card">
          {t('meetings:cannot')}
        </Banner>
      )}
    </div>
  );
}

interface MeetingsTopProps {
  all: MeetingListing;
  filter: MeetingFilter;
  onFilter: (filter: MeetingFilter) => void;
}

/** Counters and the user's group chats, which scroll away above the cards. */
function MeetingsTop({ all, filter, onFilter }: MeetingsTopProps) {
  const { t } = useTexts(meetingsTexts);
  const groupsExist = useAreGroupsAvailable();
  const groups = useGroupChats(groupsExist);
  const counts = useMemo(
    () => (all.items ? countMeetings(all.items, all.complete) : all.failed ? 'failed' : null),
    [all.items, all.complete, all.failed],
  );
  return (
    <div className="flex flex-col gap-5 px-4 pt-1 pb-3">
      <MeetingCounters
        counts={counts}
        groups={
          groups.groups ? { count: groups.groups.length, exact: groups.complete } : groups.failed ? 'failed' : null
        }
      />
      {groupsExist && <GroupChatsSection listing={groups} />}
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h2 className="truncate text-16 font-semibold">{t('meetings:recent')}</h2>
        <FilterMenu
          label={t('meetings:filter')}
          value={filter}
          values={meetingFilters}
          labelOf={(value) => t(`meetings:filters.${value}`)}
          onChange={onFilter}
        />
      </div>
    </div>
  );
}

interface NoMeetingProps {
  /** True if the address names a meeting. */
  chosen: boolean;
  listing: MeetingListing;
  onBack: () => void;
}

/**
 * Placeholder beside the list while no meeting is chosen, or in place of the chosen one until it loads or after it is
 * gone.
 */
function NoMeeting({ chosen, listing, onBack }: NoMeetingProps) {
  const { t } = useTexts(meetingsTexts);
  const failed = listing.failed || listing.moreFailed;
  const missing = chosen && listing.complete && listing.items !== undefined;
  // An empty list explains the next step itself, and a loading list may turn out empty.
  if (!chosen && !listing.failed && (listing.items ?? []).length === 0) return null;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {chosen && <BackToMeetings onBack={onBack} />}
      {chosen && failed ? (
        <ErrorState
          className="flex-1"
          title={t('meetings:loadFailed')}
          description={t('meetings:loadFailedText')}
          retrying={listing.fetching}
          onRetry={listing.retry}
        />
      ) : chosen && !missing ? (
        <SkeletonRows rows={2} label={t('meetings:loading')} />
      ) : (
        <EmptyState
          className="flex-1"
          icon={<Video />}
          title={t(missing ? 'meetings:goneTitle' : 'meetings:selectTitle')}
          description={t('meetings:selectText')}
        />
      )}
    </div>
  );
}

interface MeetingListProps {
  openId: string | undefined;
  /** Content above the cards, which scrolls with them. */
  top: ReactNode;
  listing: MeetingListing;
  filter: MeetingFilter;
  onAct: MeetingActionHandler;
  onCreate: () => void;
  onShowAll: () => void;
}

function MeetingList({ openId, top, listing, filter, onAct, onCreate, onShowAll }: MeetingListProps) {
  const { t } = useTexts(meetingsTexts);
  const { id: selfId } = useSelf();
  const online = useOnline();
  // The socket still counts as open for a while after the network fails.
  const offline = useChatState((state) => state.connection !== 'open') || !online;
  return (
    <PagedCards
      list={listing}
      top={top}
      words={{
        loading: t('meetings:loading'),
        failed: t('meetings:loadFailed'),
        failedText: offline ? t('meetings:offlineText') : t('meetings:loadFailedText'),
        moreFailed: t('meetings:loadMoreFailed'),
      }}
      skeletons={['w-2/5', 'w-1/2', 'w-1/3'].map((width) => [`h-5 ${width}`, 'h-3.5 w-3/5', 'h-5 w-1/4'])}
      card={(meeting) => (
        <MeetingCard meeting={meeting} selfId={selfId} current={meeting.id === openId} onAct={onAct} />
      )}
      empty={
        filter === 'all' ? (
          <EmptyState
            icon={<Video />}
            title={t('meetings:emptyTitle')}
            description={t('meetings:emptyText')}
            action={
              <Button icon={<Plus aria-hidden="true" />} onClick={onCreate}>
                {t('meetings:createMeeting')}
              </Button>
            }
          />
        ) : (
          <EmptyState
            icon={<ListFilter />}
            title={t('meetings:nothingTitle')}
            description={t(`meetings:nothing.${filter}`)}
            action={
              <Button kind="secondary" onClick={onShowAll}>
                {t('meetings:showAll')}
              </Button>
            }
          />
        )
      }
    />
  );
}
