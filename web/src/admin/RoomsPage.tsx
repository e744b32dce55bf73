import type { LiveRoom } from '@nolo/api';
import { RotateCw, Video } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useLocale } from '../i18n/locale.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { useLiveRooms, useLiveRoomActions } from './adminQueries.ts';
import { formatMoment } from './formatMoment.ts';
import { ReasonDialog } from './ReasonDialog.tsx';
import { PagedList } from './PagedList.tsx';
import { useOperatorWords } from './useOperatorWords.ts';

/** Occupied rooms: their host, their start, and a way to end them. Operators cannot listen in. */
export function RoomsPage() {
  const { t } = useOperatorWords();
  const list = useLiveRooms();
  const [ending, setEnding] = useState<LiveRoom | null>(null);
  return (
    <>
      <p className="text-14 text-muted">{t('admin.roomsText')}</p>
      <Button
        kind="secondary"
        size="small"
        className="self-start"
        icon={<RotateCw />}
        busy={list.isFetching && !list.isFetchingNextPage}
        onClick={() => void list.refetch()}
      >
        {t('admin.refresh')}
      </Button>
      <PagedList list={list} empty={<EmptyState icon={<Video />} title={t('admin.noRooms')} />}>
        {(rooms) => (
          <ul className="flex flex-col gap-2">
            {rooms.map((room) => (
              <RoomRow key={room.id} room={room} onEnd={() => setEnding(room)} />
            ))}
          </ul>
        )}
      </PagedList>
      {ending && <EndRoomDialog room={ending} onClose={() => setEnding(null)} />}
    </>
  );
}

/** Isolates an id within a sentence, because ids read from left to right in every language. */
const isolated = (id: string): string => `\u2066${id}\u2069`;

function RoomRow({ room: { id, kind, hostId, people, since, nodeIds }, onEnd }: { room: LiveRoom; onEnd: () => void }) {
  const { t } = useOperatorWords();
  const locale = useLocale();
  return (
    <li className="rounded-card border border-line bg-raised p-3 text-13">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="tabular min-w-40 flex-1 text-14 font-medium">
          {t(`admin.roomKinds.${kind}`)} · {t('admin.people', { count: people })}
        </p>
        <Button kind="danger" size="small" onClick={onEnd}>
          {t('admin.endRoom')}
        </Button>
      </div>
      <div className="tabular mt-1 flex flex-col gap-0.5 wrap-anywhere text-muted select-text">
        {since !== null && <p>{t('admin.roomSince', { date: formatMoment(since, locale) })}</p>}
        <p>{t('admin.roomId', { id: isolated(id) })}</p>
        <p>
          <Link to={`/admin/audit?account=${hostId}`} className="text-accent-text hover:underline">
            {t('admin.roomHost', { id: isolated(hostId) })}
          </Link>
        </p>
        {nodeIds.length > 0 && <p>{t('admin.roomNodes', { nodes: isolated(nodeIds.join(', ')) })}</p>}
      </div>
    </li>
  );
}

function EndRoomDialog({ room, onClose }: { room: LiveRoom; onClose: () => void }) {
  const { t } = useOperatorWords();
  const { end } = useLiveRoomActions();
  return (
    <ReasonDialog
      title={t('admin.endRoomTitle')}
      text={t('admin.endRoomText', { count: room.people })}
      submitLabel={t('admin.endRoom')}
      done={t('admin.endRoomDone')}
      danger
      onClose={onClose}
      onSubmit={(reason) => end(room.id, reason)}
    />
  );
}
