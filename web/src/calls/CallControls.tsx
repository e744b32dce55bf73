import { Mic, MicOff, MonitorUp, MonitorX, PhoneOff, Settings2, UserPlus, Video, VideoOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { browserSupport } from '../device/browserSupport.ts';
import type { CallMedia } from './media/CallMedia.ts';
import type { LiveCall } from './model/callPhase.ts';
import type { CallEngine } from './model/callEngine.ts';
import { classNames } from '../ui/classNames.ts';
import { Tooltip } from '../ui/Tooltip.tsx';
import type { CallDialogName } from './CallRoom.tsx';
import { useCallTexts } from './useCallTexts.ts';

export interface CallControlsProps {
  live: LiveCall;
  media: CallMedia | null;
  engine: CallEngine;
  onDialog: (dialog: CallDialogName) => void;
}

/** Call controls in the order of meetings: microphone, camera, share, more, end. */
export function CallControls({ live, media, engine, onDialog }: CallControlsProps) {
  const { t } = useCallTexts();
  const talking = live.phase === 'connecting' || live.phase === 'connected';
  return (
    <div
      data-keep-clear
      role="toolbar"
      aria-label={t('calls.controls')}
      className="relative z-20 flex shrink-0 flex-wrap items-center justify-center gap-2 px-3 py-3 pb-[calc(env(safe-area-inset-bottom)+0.75rem)] sm:gap-3"
    >
      {media && <MediaControls live={live} media={media} engine={engine} />}
      {media && <Control label={t('calls.devices')} icon={<Settings2 />} onClick={() => onDialog('devices')} />}
      {talking && <Control label={t('calls.addPerson')} icon={<UserPlus />} onClick={() => onDialog('add')} />}
      <Control label={t('calls.end')} icon={<PhoneOff />} tone="danger" onClick={() => engine.end()} />
    </div>
  );
}

function MediaControls({ live, media, engine }: { live: LiveCall; media: CallMedia; engine: CallEngine }) {
  const { t } = useCallTexts();
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
        label={t(microphone ? 'calls.microphoneOff' : 'calls.microphoneOn')}
        icon={microphone ? <Mic /> : <MicOff />}
        tone={microphone ? 'plain' : 'off'}
        onClick={() => void media.set('microphone', !microphone)}
      />
      <Control
        label={t(camera ? 'calls.cameraOff' : 'calls.cameraOn')}
        icon={camera ? <Video /> : <VideoOff />}
        tone={camera ? 'plain' : 'off'}
        onClick={toggleCamera}
      />
      {mayShare && (
        <Control
          label={t(sharing ? 'calls.stopSharing' : 'calls.share')}
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
