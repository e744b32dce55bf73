import { ListFilter, Plus, Video } from 'lucide-react';
import type { ReactNode } from 'react';
import { Virtuoso } from 'react-virtuoso';
import { useChatState } from '../chat/context/chatContext.ts';
import { useSelf } from '../session/self.ts';
import { useOnline } from '../shell/useOnline.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { MeetingCard } from './MeetingCard.tsx';
import type { MeetingFilter } from './meetingList.ts';
import type { MeetingListing } from './meetingQueries.ts';
import type { MeetingActionHandler } from './useMeetingActionHandler.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';

interface MeetingListProps {
  /** Meeting that is open beside the list. */
  openId: string | undefined;
  /** Content above the cards, which scrolls with them. */
  top: ReactNode;
  listing: MeetingListing;
  filter: MeetingFilter;
  onAct: MeetingActionHandler;
  onCreate: () => void;
  onShowAll: () => void;
}

/** Lists the user's meetings as cards, or shows a placeholder. */
export function MeetingList({ openId, top, listing, filter, onAct, onCreate, onShowAll }: MeetingListProps) {
  const { t } = useMeetingsWords();
  const { id: selfId } = useSelf();
  const online = useOnline();
  // The socket still counts as open for a while after the network fails.
  const offline = useChatState((state) => state.connection !== 'open') || !online;
  const { meetings, retry } = listing;
  if (meetings !== undefined && meetings.length > 0) {
    const bottom = listing.moreFailed && <MoreFailed onRetry={retry} />;
    return (
      <Virtuoso
        className="min-h-0 flex-1"
        data={meetings}
        context={{ top, bottom }}
        components={listComponents}
        computeItemKey={(_, { id }) => id}
        itemContent={(_, meeting) => (
          <div className="px-4 pb-3">
            <MeetingCard meeting={meeting} selfId={selfId} current={meeting.id === openId} onAct={onAct} />
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

const listComponents = {
  Header: ({ context }: { context?: Around }) => context?.top,
  // Padding below the last card, so that it does not touch the edge of the screen.
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

/** Placeholder cards. */
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
