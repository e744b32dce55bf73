import { ImagePlus, Plus, UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useChatState } from '../chat/context/chatContext.ts';
import { ScreenHeader } from '../shell/ScreenHeader.tsx';
import { useSelf } from '../session/self.ts';
import { useOnline } from '../shell/useOnline.ts';
import { AddContactButton } from '../people/AddContactButtons.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { late } from '../ui/late.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { AuthorRows } from './AuthorRows.tsx';
import { OwnStatuses } from './OwnStatuses.tsx';
import type { StatusListing } from './statusQueries.ts';
import { useStatuses } from './statusQueries.ts';
import { useOutgoing } from './useOutgoing.ts';
import { useStatusWords } from './useStatusWords.ts';

const CreateStatusDialog = late(async () => (await import('./CreateStatusDialog.tsx')).CreateStatusDialog);
const StatusViewer = late(async () => (await import('./StatusViewer.tsx')).StatusViewer);

/** Where the viewer begins, and whose it goes through. */
interface Viewing {
  authorIds: readonly string[];
  statusId: string;
}

/** One's own status updates and those of one's contacts. */
export function StatusScreen() {
  const { t } = useStatusWords();
  const self = useSelf();
  const listing = useStatuses();
  const { groups } = listing;
  const outgoing = useOutgoing();
  const [creating, setCreating] = useState(false);
  const [viewing, setViewing] = useState<Viewing | null>(null);
  const add = () => setCreating(true);
  const own = groups?.own ?? [];
  const isEmpty = own.length === 0 && outgoing.length === 0;
  const authors = [{ author: self, statuses: own, unviewed: 0 }, ...(groups?.recent ?? []), ...(groups?.muted ?? [])];
  return (
    <div className="mx-auto flex min-h-0 w-full max-w-200 flex-1 flex-col">
      <ScreenHeader title={t('status.title')} />
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-4 pb-6">
        <p className="text-13 text-muted">{t('status.subtitle')}</p>
        <Card
          title={t('status.mine')}
          action={
            <Button size="small" icon={<Plus aria-hidden="true" />} onClick={add}>
              {t('status.add')}
            </Button>
          }
        >
          {groups === undefined && !listing.failed && isEmpty ? (
            <TileSkeletons label={t('status.loading')} />
          ) : isEmpty ? (
            <EmptyState
              icon={<ImagePlus />}
              title={t('status.emptyOwn')}
              action={<Button onClick={add}>{t('status.first')}</Button>}
            />
          ) : (
            <OwnStatuses
              statuses={own}
              outgoing={outgoing}
              onOpen={(statusId) => setViewing({ authorIds: [self.id], statusId })}
            />
          )}
        </Card>
        <Card title={t('status.recent')}>
          <Recent listing={listing} onOpen={(authorIds, statusId) => setViewing({ authorIds, statusId })} />
        </Card>
      </div>
      {creating && <CreateStatusDialog onClose={() => setCreating(false)} />}
      {viewing && (
        <StatusViewer
          // In the order in which they stood; what is looked at moves down meanwhile.
          authors={viewing.authorIds.flatMap((id) => authors.find(({ author }) => author.id === id) ?? [])}
          begin={viewing.statusId}
          onClose={() => setViewing(null)}
        />
      )}
    </div>
  );
}

interface RecentProps {
  listing: StatusListing;
  onOpen: (authorIds: readonly string[], statusId: string) => void;
}

/** Other people's, by person; the muted ones apart and closed. */
function Recent({ listing, onOpen }: RecentProps): ReactNode {
  const { t } = useStatusWords();
  const online = useOnline();
  const offline = useChatState((state) => state.connection !== 'open') || !online;
  const [showsMuted, setShowsMuted] = useState(false);
  const { groups } = listing;
  if (groups === undefined) {
    if (!listing.failed) return <RowSkeletons />;
    return (
      <ErrorState
        title={t('status.loadFailed')}
        description={t(offline ? 'status.offlineText' : 'status.loadFailedText')}
        retrying={listing.fetching}
        onRetry={listing.retry}
      />
    );
  }
  const { recent, muted } = groups;
  return (
    <>
      {recent.length === 0 && (
        <EmptyState
          icon={<UsersRound />}
          title={t('status.emptyRecent')}
          description={t('status.emptyRecentHint')}
          action={<AddContactButton kind="secondary" />}
        />
      )}
      <AuthorRows authors={recent} onOpen={onOpen} />
      {listing.moreFailed && (
        <p role="alert" className="flex flex-wrap items-center justify-center gap-3 pt-3 text-13 text-muted">
          {t('status.moreFailed')}
          <Button kind="secondary" size="small" onClick={listing.retry}>
            {t('common.retry')}
          </Button>
        </p>
      )}
      {listing.hasMore && !listing.moreFailed && (
        <Button kind="quiet" wide size="small" className="mt-2" busy={listing.fetching} onClick={listing.more}>
          {t('status.showMore')}
        </Button>
      )}
      {muted.length > 0 && (
        <div className="mt-3 border-t border-line pt-3">
          <Button kind="quiet" size="small" aria-expanded={showsMuted} onClick={() => setShowsMuted(!showsMuted)}>
            {showsMuted ? t('status.muted') : t('status.showMuted', { count: muted.length })}
          </Button>
          {showsMuted && <AuthorRows authors={muted} onOpen={onOpen} />}
        </div>
      )}
    </>
  );
}

function TileSkeletons({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="grid grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] gap-3">
      {[0, 1, 2].map((place) => (
        <Skeleton key={place} className="aspect-3/4 rounded-card" />
      ))}
    </div>
  );
}

function RowSkeletons() {
  const { t } = useStatusWords();
  return (
    <div role="status" aria-label={t('status.loading')} className="flex flex-col gap-4 py-1">
      {['w-2/5', 'w-1/2', 'w-1/3'].map((width) => (
        <div key={width} className="flex items-center gap-3">
          <Skeleton className="size-12 rounded-full" />
          <Skeleton className={`h-4 ${width}`} />
        </div>
      ))}
    </div>
  );
}
