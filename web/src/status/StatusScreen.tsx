import type { StatusUpdate } from '@nolo/api';
import { ImagePlus, Plus, UsersRound } from 'lucide-react';
import { useState, useEffect, type ReactNode } from 'react';
import { useContacts } from '../api/queries.ts';
import { useChatState } from '../chat/context/chatContext.ts';
import { Panes } from '../shell/Panes.tsx';
import { useMediaQuery } from '../shell/useMediaQuery.ts';
import { ScreenHeader } from '../shell/ScreenHeader.tsx';
import { useSelf } from '../session/self.ts';
import { useOnline } from '../shell/useOnline.ts';
import { OpenAddContactDialogButton } from '../people/OpenAddContactDialogButton.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useNow } from '../shell/useNow.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Badge } from '../ui/Badge.tsx';
import { classNames } from '../ui/classNames.ts';
import { OwnStatuses } from './OwnStatuses.tsx';
import { useStatuses, type StatusListing } from './statusQueries.ts';
import type { OutgoingStatus } from './model/statusDelivery.ts';
import { useOpenStatusOutbox } from './useOpenStatusOutbox.ts';
import type { AuthorStatuses } from './model/statusGroups.ts';
import { useStatusTimes } from './useStatusTimes.ts';
import { useTexts } from '../i18n/texts.ts';
import { statusTexts } from './statusTexts.ts';

interface AuthorRowsProps {
  authors: readonly AuthorStatuses[];
  /** Opens one person's status updates, followed by those of the others. */
  onOpen: (authorIds: readonly string[], statusId: string) => void;
}

/** Row for each person with status updates. The ring and the dot indicate new ones. */
function AuthorRows({ authors, onOpen }: AuthorRowsProps) {
  const { t } = useTexts(statusTexts);
  const times = useStatusTimes();
  useNow();
  if (authors.length === 0) return null;
  const ids = authors.map(({ author }) => author.id);
  return (
    <ul className="-mx-2 flex flex-col">
      {authors.map(({ author, statuses, unviewed }, place) => {
        const latest = statuses.at(-1);
        const first = statuses.find(({ hasViewed }) => !hasViewed) ?? statuses[0];
        if (!latest || !first) return null;
        return (
          <li key={author.id} data-author={author.id}>
            <button
              type="button"
              onClick={() => onOpen(ids.slice(place), first.id)}
              className="flex min-h-17 w-full items-center gap-3 rounded-card px-2 py-2 text-start hover:bg-hover"
            >
              <span className={classNames('rounded-full p-0.5 ring-2', unviewed > 0 ? 'ring-accent' : 'ring-line')}>
                <Avatar name={author.displayName} imageUrl={author.profileImageUrl} size={48} />
              </span>
              <span className="min-w-0 flex-1">
                <span dir="auto" className="block truncate text-ui-start text-15 font-medium">
                  {author.displayName}
                </span>
                <span className="tabular block text-13 text-muted">
                  {times(latest).since}
                  {' · '}
                  {times(latest).left}
                </span>
              </span>
              <Badge tone={unviewed > 0 ? 'accent' : 'neutral'}>
                {unviewed > 0 && <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />}
                {unviewed > 0 ? t('status:new', { count: unviewed }) : t('status:all', { count: statuses.length })}
              </Badge>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Returns the user's unsent status updates. Sending those of an earlier session resumes. */
function useOutgoingStatuses(): readonly OutgoingStatus[] {
  const statuses = useOpenStatusOutbox();
  const [outgoing, setOutgoing] = useState<readonly OutgoingStatus[]>([]);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let gone = false;
    statuses().then(
      ({ store }) => {
        if (gone) return;
        setOutgoing(store.getState().outgoing);
        stop = store.subscribe((state) => setOutgoing(state.outgoing));
      },
      // The code failed to load. Without it, posting is impossible and reports that.
      () => undefined,
    );
    return () => {
      gone = true;
      stop?.();
    };
  }, [statuses]);
  return outgoing;
}

const CreateStatusDialog = lazyDialog(async () => (await import('./CreateStatusDialog.tsx')).CreateStatusDialog);
const StatusViewer = lazyDialog(async () => (await import('./StatusViewer.tsx')).StatusViewer);

/** Start of the viewer, and the people it goes through. */
interface Viewing {
  authorIds: readonly string[];
  statusId: string;
}

export function StatusScreen() {
  const { t } = useTexts(statusTexts);
  const self = useSelf();
  const listing = useStatuses();
  const { groups } = listing;
  const outgoing = useOutgoingStatuses();
  const [creating, setCreating] = useState(false);
  const [viewing, setViewing] = useState<Viewing | null>(null);
  const add = () => setCreating(true);
  const own = groups?.own ?? [];
  const authors = [{ author: self, statuses: own, unviewed: 0 }, ...(groups?.recent ?? []), ...(groups?.muted ?? [])];
  const wide = useMediaQuery('(min-width: 768px)');
  const mine = (
    <OwnStatusSection
      own={own}
      outgoing={outgoing}
      loading={groups === undefined && !listing.failed}
      failed={groups === undefined && listing.failed}
      onAdd={add}
      onOpen={(statusId) => setViewing({ authorIds: [self.id], statusId })}
    />
  );
  return (
    <>
      <Panes
        list={
          <>
            <ScreenHeader title={t('status:title')} />
            <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-4 pb-6">
              <p className="text-13 text-muted">{t('status:subtitle')}</p>
              {!wide && (
                <Card title={t('status:mine')} action={<AddButton onAdd={add} />}>
                  {mine}
                </Card>
              )}
              <section>
                <h2 className="mb-1 text-16 font-semibold">{t('status:recent')}</h2>
                <Recent listing={listing} onOpen={(authorIds, statusId) => setViewing({ authorIds, statusId })} />
              </section>
            </div>
          </>
        }
        content={
          wide && (
            <>
              <header
                data-keep-clear
                className="box-content flex h-16 shrink-0 items-center gap-3 px-5 pt-[env(safe-area-inset-top)]"
              >
                <h2 className="min-w-0 flex-1 truncate text-20 font-semibold tracking-tight">{t('status:mine')}</h2>
                <AddButton onAdd={add} />
              </header>
              <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-5 pb-6">{mine}</div>
            </>
          )
        }
        contentOpen={false}
      />
      {creating && <CreateStatusDialog onClose={() => setCreating(false)} />}
      {viewing && (
        <StatusViewer
          // Keeps the initial order, because viewed people move down meanwhile.
          authors={viewing.authorIds.flatMap((id) => authors.find(({ author }) => author.id === id) ?? [])}
          begin={viewing.statusId}
          onClose={() => setViewing(null)}
        />
      )}
    </>
  );
}

function AddButton({ onAdd }: { onAdd: () => void }) {
  const { t } = useTexts(statusTexts);
  return (
    <Button size="small" icon={<Plus aria-hidden="true" />} onClick={onAdd}>
      {t('status:add')}
    </Button>
  );
}

interface OwnStatusSectionProps {
  own: readonly StatusUpdate[];
  outgoing: ReturnType<typeof useOutgoingStatuses>;
  loading: boolean;
  /** True if it is unknown whether there are any. The list says so and offers a retry. */
  failed: boolean;
  onAdd: () => void;
  onOpen: (statusId: string) => void;
}

/** The user's own status updates: beside the others if there is room, above them on phones. */
function OwnStatusSection({ own, outgoing, loading, failed, onAdd, onOpen }: OwnStatusSectionProps) {
  const { t } = useTexts(statusTexts);
  if (own.length > 0 || outgoing.length > 0) {
    return <OwnStatuses statuses={own} outgoing={outgoing} onOpen={onOpen} />;
  }
  if (loading) return <TileSkeletons label={t('status:loading')} />;
  if (failed) return null;
  return (
    <EmptyState
      className="md:flex-1"
      icon={<ImagePlus />}
      title={t('status:emptyOwn')}
      action={<Button onClick={onAdd}>{t('status:first')}</Button>}
    />
  );
}

interface RecentProps {
  listing: StatusListing;
  onOpen: (authorIds: readonly string[], statusId: string) => void;
}

/** Lists other people's status updates by person, with muted ones folded separately. */
function Recent({ listing, onOpen }: RecentProps): ReactNode {
  const { t } = useTexts(statusTexts);
  const online = useOnline();
  const offline = useChatState((state) => state.connection !== 'open') || !online;
  const [showsMuted, setShowsMuted] = useState(false);
  const contacts = useContacts('');
  // Unknown contacts count as some, so that no hint to add contacts appears.
  const hasContacts = contacts.data === undefined || contacts.data.pages.some(({ items }) => items.length > 0);
  const { groups } = listing;
  if (groups === undefined) {
    if (!listing.failed) return <RowSkeletons />;
    return (
      <ErrorState
        title={t('status:loadFailed')}
        description={t(offline ? 'status:offlineText' : 'status:loadFailedText')}
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
          title={t('status:emptyRecent')}
          description={t(hasContacts ? 'status:emptyRecentText' : 'status:emptyRecentHint')}
          action={!hasContacts && <OpenAddContactDialogButton kind="secondary" />}
        />
      )}
      <AuthorRows authors={recent} onOpen={onOpen} />
      {listing.moreFailed && (
        <p role="alert" className="flex flex-wrap items-center justify-center gap-3 pt-3 text-13 text-muted">
          {t('status:moreFailed')}
          <Button kind="secondary" size="small" onClick={listing.retry}>
            {t('common.retry')}
          </Button>
        </p>
      )}
      {!listing.complete && !listing.moreFailed && (
        <Button kind="quiet" wide size="small" className="mt-2" busy={listing.fetching} onClick={listing.more}>
          {t('status:showMore')}
        </Button>
      )}
      {muted.length > 0 && (
        <div className="mt-3 border-t border-line pt-3">
          <Button kind="quiet" size="small" aria-expanded={showsMuted} onClick={() => setShowsMuted(!showsMuted)}>
            {showsMuted ? t('status:muted') : t('status:showMuted', { count: muted.length })}
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
  const { t } = useTexts(statusTexts);
  return (
    <div role="status" aria-label={t('status:loading')} className="flex flex-col gap-4 py-1">
      {['w-2/5', 'w-1/2', 'w-1/3'].map((width) => (
        <div key={width} className="flex items-center gap-3">
          <Skeleton className="size-12 rounded-full" />
          <Skeleton className={`h-4 ${width}`} />
        </div>
      ))}
    </div>
  );
}
