import { useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { RoomClient } from '@nolo/client/rooms/RoomClient';
import type { LiveCall } from './model/callPhase.ts';
import { NoMediaPathBanner } from '../meetings/room/NoMediaPathBanner.tsx';
import { RoomContext } from '../meetings/room/roomContext.ts';
import { StageView } from '../meetings/room/StageView.tsx';
import { callSession } from './callSession.ts';
import { CallTimer } from './CallTimer.tsx';
import { useTexts } from '../i18n/texts.ts';
import { callsTexts } from './callsTexts.ts';

export function CallGrid({ live, room, onInvite }: { live: LiveCall; room: RoomClient; onInvite: () => void }) {
  const { t } = useTexts(callsTexts);
  const devices = useStore(callSession, (state) => state.devices);
  const roomContext = useMemo(() => devices && { own: devices, store: room.store, client: room }, [devices, room]);
  const root = useRef<HTMLDivElement>(null);
  const [pinned, setPinned] = useState<string | null>(null);
  const people = useStore(room.store, (state) => state.order.length);
  if (!roomContext) return null;
  return (
    <RoomContext value={roomContext}>
      <div ref={root} className="flex min-h-0 flex-1 flex-col">
        <div className="pointer-events-none box-content flex h-14 shrink-0 items-center justify-center gap-2 pt-[env(safe-area-inset-top)] text-14">
          <h1>{t('calls:people', { count: people })}</h1>
          {live.talkingSince !== null && <CallTimer since={live.talkingSince} className="text-muted" />}
        </div>
        <NoMediaPathBanner />
        <div className="relative min-h-0 flex-1">
          <StageView layout="grid" pinned={pinned} onPin={setPinned} onInvite={onInvite} room={root} />
        </div>
      </div>
    </RoomContext>
  );
}
