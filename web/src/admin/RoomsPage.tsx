import { routes, type LiveRoom } from '@nolo/api';
import { RotateCw, Video } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { usePages } from '../api/usePages.ts';
import { useLocale } from '../i18n/locale.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { useAction } from '../ui/useAction.ts';
import { adminKeys, useOperatorActionOptions } from './adminQueries.ts';
import { formatMoment } from './formatMoment.ts';
import { isolated } from './isolated.ts';
import { ReasonDialog } from './ReasonDialog.tsx';
import { AdminRows } from './AdminRows.tsx';
import { useTexts } from '../i18n/texts.ts';
import { adminTexts } from './adminTexts.ts';

/** Occupied rooms: their host, their start, and a way to end them. Operators cannot listen in. */
export function RoomsPage() {
  const { t } = useTexts(adminTexts);
  const list = usePages(routes.listLiveRooms, { queryKey: adminKeys.rooms });
  const end = useAction(routes.endLiveRoom, useOperatorActionOptions(adminKeys.rooms));
  const [ending, setEnding] = useState<LiveRoom | null>(null);
  return (
    <>
      <p className="text-14 text-muted">{t('admin:roomsText')}</p>
      <Button
        kind="secondary"
        size="small"
        className="self-start"
        icon={<RotateCw />}
        busy={list.isFetching && !list.isFetchingNextPage}
        onClick={() => void list.refetch()}
      >
        {t('admin:refresh')}
      </Button>
      <AdminRows list={list} empty={<EmptyState icon={<Video />} title={t('admin:noRooms')} />}>
        {(room) => <RoomRow key={room.id} room={room} onEnd={() => setEnding(room)} />}
      </AdminRows>
      {ending && (
        <ReasonDialog
          title={t('admin:endRoomTitle')}
          description={t('admin:endRoomText', { count: ending.people })}
          submitLabel={t('admin:endRoom')}
          done={t('admin:endRoomDone')}
          danger
          onClose={() => setEnding(null)}
          onSubmit={(reason) => end.run({ params: { id: ending.id }, body: { reason } })}
        />
      )}
    </>
  );
}

function RoomRow({ room: { id, kind, hostId, people, since, nodeIds }, onEnd }: { room: LiveRoom; onEnd: () => void }) {
  const { t } = useTexts(adminTexts);
  const locale = useLocale();
  return (
    <li className="rounded-card border border-line bg-raised p-3 text-13">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="tabular min-w-40 flex-1 text-14 font-medium">
          {t(`admin:roomKinds.${kind}`)} · {t('admin:people', { count: people })}
        </p>
        <Button kind="danger" size="small" onClick={onEnd}>
          {t('admin:endRoom')}
        </Button>
      </div>
      <div className="tabular mt-1 flex flex-col gap-0.5 wrap-anywhere text-muted select-text">
        {since !== null && <p>{t('admin:roomSince', { date: formatMoment(since, locale) })}</p>}
        <p>{t('admin:roomId', { id: isolated(id) })}</p>
        <p>
          <Link to={`/admin/audit?account=${hostId}`} className="text-accent-text hover:underline">
            {t('admin:roomHost', { id: isolated(hostId) })}
          </Link>
        </p>
        {nodeIds.length > 0 && <p>{t('admin:roomNodes', { nodes: isolated(nodeIds.join(', ')) })}</p>}
      </div>
    </li>
  );
}
