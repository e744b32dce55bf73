import { ChartNoAxesColumn, Minimize2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useStore } from 'zustand';
import { useSelf } from '../session/self.ts';
import { useWakeLock } from '../shell/useWakeLock.ts';
import type { CallMedia } from './media/CallMedia.ts';
import type { LiveCall } from './model/callPhase.ts';
import type { CallEngine } from './model/callEngine.ts';
import { createRoomStore } from '../meetings/room/model/meetingRoom.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { CallControls } from './CallControls.tsx';
import { CallVideo } from './CallVideo.tsx';
import { VoiceCallView } from './VoiceCallView.tsx';
import { useCallTexts } from './useCallTexts.ts';
import { useCallPeer } from './useCallPeer.ts';
import { useRootAttribute } from '../ui/useRootAttribute.ts';
import { lazyComponent } from '../ui/lazyComponents.tsx';

const QualityDialog = lazyDialog(async () => (await import('./QualityDialog.tsx')).QualityDialog);
const AddPersonDialog = lazyDialog(async () => (await import('./AddPersonDialog.tsx')).AddPersonDialog);
const CallDevices = lazyDialog(async () => (await import('./CallDevices.tsx')).CallDevices);
const CallGrid = lazyComponent(async () => (await import('./CallGrid.tsx')).CallGrid);

/** Visible on any picture. */
const overPicture = 'rounded-full! bg-[rgb(0_0_0/0.4)] text-[#fff]! hover:bg-[rgb(0_0_0/0.6)]!';

export type CallDialogName = 'quality' | 'add' | 'devices';

export interface CallRoomProps {
  live: LiveCall;
  /** Null until the code for it is loaded. */
  media: CallMedia | null;
  engine: CallEngine;
  onMinimise: () => void;
}

/** Outgoing or ongoing call: the other person, the user, and the controls. */
export function CallRoom({ live, media, engine, onMinimise }: CallRoomProps) {
  const { t } = useCallTexts();
  const peer = useCallPeer(live);
  const [dialog, setDialog] = useState<CallDialogName | null>(null);
  const close = () => setDialog(null);
  useWakeLock();
  useRootAttribute('stage');
  return (
    <section
      aria-label={t('calls.callWith', { name: peer.names })}
      data-testid="call-screen"
      className="relative flex min-h-0 flex-1 flex-col overflow-clip bg-sunken text-ink [color-scheme:dark]"
    >
      <header
        data-keep-clear
        className="absolute inset-x-0 top-0 z-20 flex items-start gap-2 p-2 pt-[calc(env(safe-area-inset-top)+0.5rem)]"
      >
        <IconButton label={t('calls.minimise')} icon={<Minimize2 />} className={overPicture} onClick={onMinimise} />
        <span className="flex-1" />
        {media && (
          <IconButton
            label={t('calls.details')}
            icon={<ChartNoAxesColumn />}
            className={overPicture}
            onClick={() => setDialog('quality')}
          />
        )}
      </header>
      {media ? (
        <Stage live={live} media={media} onInvite={() => setDialog('add')} />
      ) : (
        <VoiceCallView live={live} media={null} />
      )}
      <StillRinging live={live} />
      <CallControls live={live} media={media} engine={engine} onDialog={setDialog} />
      {media && dialog === 'quality' && <QualityDialog media={media} onClose={close} />}
      {dialog === 'add' && live.call && <AddPersonDialog call={live.call} engine={engine} onClose={close} />}
      {dialog === 'devices' && <CallDevices onClose={close} />}
    </section>
  );
}

const emptyRoom = createRoomStore();

/** A voice, two videos, or a grid of more. */
function Stage({ live, media, onInvite }: { live: LiveCall; media: CallMedia; onInvite: () => void }) {
  const room = useStore(media.store, (state) => state.room);
  const pictures = useStore(
    media.store,
    ({ own, peer, theirs }) =>
      own.camera !== undefined || (peer.camera && !!theirs.camera) || (peer.screen && !!theirs.screen),
  );
  const people = useStore(room?.store ?? emptyRoom, (state) => state.order.length);
  const two =
    pictures || live.type === 'video' ? (
      <CallVideo live={live} media={media} />
    ) : (
      <VoiceCallView live={live} media={media} />
    );
  if (!room || people <= 2) return two;
  return (
    <Suspense fallback={two}>
      <CallGrid live={live} room={room} onInvite={onInvite} />
    </Suspense>
  );
}

/** People who were asked to join and have not answered yet. */
function StillRinging({ live }: { live: LiveCall }) {
  const { t } = useCallTexts();
  const self = useSelf();
  const names = (live.phase === 'connected' ? (live.call?.participants ?? []) : [])
    .filter(({ userId, state }) => state === 'ringing' && userId !== self.id)
    .map(({ user }) => user?.displayName ?? t('calls.someone'));
  return (
    <div role="status" className="shrink-0 px-3 pt-2 text-center text-13 text-muted empty:hidden">
      {names.map((name) => (
        <p key={name} dir="auto">
          {t('calls.addRinging', { name })}
        </p>
      ))}
    </div>
  );
}
