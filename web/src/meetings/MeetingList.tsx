import { ListFilter, Plus, Video } from 'lucide-react';
import type { ReactNode } from 'react';
import { useChatState } from '../chat/context/chatContext.ts';
import { useSelf } from '../session/self.ts';
import { useOnline } from '../shell/useOnline.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PagedCards } from '../ui/PagedCards.tsx';
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
  return (
    <PagedCards
      list={listing}
      top={top}
      words={{
        loading: t('meetings.loading'),
        failed: t('meetings.loadFailed'),
        failedText: offline ? t('meetings.offlineText') : t('meetings.loadFailedText'),
        moreFailed: t('meetings.loadMoreFailed'),
      }}
      skeletons={['w-2/5', 'w-1/2', 'w-1/3'].map((width) => [`h-5 ${width}`, 'h-3.5 w-3/5', 'h-5 w-1/4'])}
      card={(meeting) => (
        <MeetingCard meeting={meeting} selfId={selfId} current={meeting.id === openId} onAct={onAct} />
      )}
      empty={
        filter === 'all' ? (
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
        ) : (
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
        )
      }
    />
  );
}
