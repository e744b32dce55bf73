import {
  ChartNoAxesColumn,
  Minimize2,
  Mic,
  MicOff,
  MonitorUp,
  MonitorX,
  PhoneOff,
  Settings2,
  UserPlus,
  Video,
  VideoOff,
} from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useSelf } from '../session/self.ts';
import { useWakeLock } from '../shell/useWakeLock.ts';
import type { CallMedia } from './media/CallMedia.ts';
import type { LiveCall } from './model/callPhase.ts';
import type { CallEngine } from './model/callEngine.ts';
import { createRoomStore } from '@nolo/client/rooms/roomState';
import { IconButton } from '../ui/IconButton.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { CallVideo } from './CallVideo.tsx';
import { VoiceCallView } from './VoiceCallView.tsx';
import { useCallPeer } from './useCallPeer.ts';
import { useRootAttribute } from '../ui/useRootAttribute.ts';
import { lazyComponent } from '../ui/lazyComponents.tsx';
import { browserSupport } from '../device/browserSupport.ts';
import { classNames } from '../ui/classNames.ts';
import { Tooltip } from '../ui/Tooltip.tsx';
import { useTexts } from '../i18n/texts.ts';
import { callsTexts } from './callsTexts.ts';

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
  const { t } = useTexts(callsTexts);
  const peer = useCallPeer(live);
  const [dialog, setDialog] = useState<CallDialogName | null>(null);
  const close = () => setDialog(null);
  useWakeLock();
  useRootAttribute('stage');
  return (
    <section
      aria-label={t('calls:callWith', { name: peer.names })}
      data-testid="call-screen"
      className="relative flex min-h-0 flex-1 flex-col overflow-clip bg-sunken text-ink [color-scheme:dark]"
    >
      <header
        data-keep-clear
        className="absolute inset-x-0 top-0 z-20 flex items-start gap-2 p-2 pt-[calc(env(safe-area-inset-top)+0.5rem)]"
      >
        <IconButton label={t('calls:minimise')} icon={<Minimize2 />} className={overPicture} onClick={onMinimise} />
        <span className="flex-1" />
        {media && (
          <IconButton
            label={t('calls:details')}
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
  const { t } = useTexts(callsTexts);
  const self = useSelf();
  const names = (live.phase === 'connected' ? (live.call?.participants ?? []) : [])
    .filter(({ userId, state }) => state === 'ringing' && userId !== self.id)
    .map(({ user }) => user?.displayName ?? t('calls:someone'));
  return (
    <div role="status" className="shrink-0 px-3 pt-2 text-center text-13 text-muted empty:hidden">
      {names.map((name) => (
        <p key={name} dir="auto">
          {t('calls:addRinging', { name })}
        </p>
      ))}
    </div>
  );
}

interface CallControlsProps {
  live: LiveCall;
  media: CallMedia | null;
  engine: CallEngine;
  onDialog: (dialog: CallDialogName) => void;
}

/** Call controls in the order of meetings: microphone, camera, share, more, end. */
function CallControls({ live, media, engine, onDialog }: CallControlsProps) {
  const { t } = useTexts(callsTexts);
  const talking = live.phase === 'connecting' || live.phase === 'connected';
  return (
    <div
      data-keep-clear
      role="toolbar"
      aria-label={t('calls:controls')}
      className="relative z-20 flex shrink-0 flex-wrap items-center justify-center gap-2 px-3 py-3 pb-[calc(env(safe-area-inset-bottom)+0.75rem)] sm:gap-3"
    >
      {media && <MediaControls live={live} media={media} engine={engine} />}
      {media && <Control label={t('calls:devices')} icon={<Settings2 />} onClick={() => onDialog('devices')} />}
      {talking && <Control label={t('calls:addPerson')} icon={<UserPlus />} onClick={() => onDialog('add')} />}
      <Control label={t('calls:end')} icon={<PhoneOff />} tone="danger" onClick={() => engine.end()} />
    </div>
  );
}

function MediaControls({ live, media, engine }: { live: LiveCall; media: CallMedia; engine: CallEngine }) {
  const { t } = useTexts(callsTexts);
  const { microphone, camera, sharing } = useStore(media.store);
  const talking = live.phase === 'connecting' || live.phase === 'connected';
  const mayShare = talking && browserSupport.shareScreen();
  const toggleCamera = () => {
    void media.set('camera', !camera);
    // Turning on a camera makes a voice call a video call, for both.
    if (!camera && live.type === 'audio' && talking) void engine.upgrade();
  };
  return (
    <>
      <Control
        label={t(microphone ? 'calls:microphoneOff' : 'calls:microphoneOn')}
        icon={microphone ? <Mic /> : <MicOff />}
        tone={microphone ? 'plain' : 'off'}
        onClick={() => void media.set('microphone', !microphone)}
      />
      <Control
        label={t(camera ? 'calls:cameraOff' : 'calls:cameraOn')}
        icon={camera ? <Video /> : <VideoOff />}
        tone={camera ? 'plain' : 'off'}
        onClick={toggleCamera}
      />
      {mayShare && (
        <Control
          label={t(sharing ? 'calls:stopSharing' : 'calls:share')}
          icon={sharing ? <MonitorX /> : <MonitorUp />}
          tone={sharing ? 'on' : 'plain'}
          onClick={() => void media.share(!sharing)}
        />
      )}
    </>
  );
}

const tones = {
  plain: 'bg-overlay text-ink hover:bg-[color-mix(in_srgb,var(--nolo-overlay),var(--nolo-ink)_10%)]',
  off: 'bg-ink text-page hover:opacity-90',
  on: 'bg-accent text-on-accent hover:bg-accent-hover',
  danger: 'bg-danger text-on-danger hover:bg-danger-hover w-16',
};

interface ControlProps {
  label: string;
  icon: ReactNode;
  tone?: keyof typeof tones;
  onClick: () => void;
}

function Control({ label, icon, tone = 'plain', onClick }: ControlProps) {
  return (
    <Tooltip label={label}>
      <button
        type="button"
        aria-label={label}
        onClick={onClick}
        className={classNames(
          'inline-flex h-12 min-w-12 items-center justify-center rounded-full transition-colors duration-150 [&_svg]:size-5.5',
          tones[tone],
        )}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
