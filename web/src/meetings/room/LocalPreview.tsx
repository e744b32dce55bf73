import { CircleAlert, Mic, MicOff, Video, VideoOff } from 'lucide-react';
import { useStore } from 'zustand';
import { useEffect, useRef } from 'react';
import type { LocalDevicesState } from './media/LocalDevices.ts';
import type { DeviceSource, MediaProblemKind } from '@nolo/client/rooms/ports';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { classNames } from '../../ui/classNames.ts';
import { useRoomSession } from './roomContext.ts';
import { VideoView } from './VideoView.tsx';
import { watchMicrophoneLevel } from './media/sound.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

const bars = [0.12, 0.3, 0.5, 0.7, 0.88];

/** Meter of the user's own microphone. It bypasses React, because it changes constantly. */
function LevelMeter({ track, className }: { track: MediaStreamTrack; className?: string }) {
  const { t } = useTexts(meetingTexts);
  const meter = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let lit = 0;
    return watchMicrophoneLevel(track, (level) => {
      const element = meter.current;
      const now = bars.filter((bar) => level >= bar).length;
      if (!element || now === lit) return;
      lit = now;
      element.setAttribute('aria-valuenow', String(Math.round((now / bars.length) * 100)));
      for (const [index, bar] of [...element.children].entries()) {
        if (bar instanceof HTMLElement) bar.style.opacity = index < now ? '1' : '0.25';
      }
    });
  }, [track]);
  return (
    <div
      ref={meter}
      role="meter"
      aria-label={t('meeting:ready.level')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={0}
      data-testid="level-meter"
      className={classNames('box-content flex h-5 items-end gap-1', className)}
    >
      {bars.map((bar) => (
        <span key={bar} className="w-1 rounded-full bg-accent opacity-25" style={{ height: `${30 + bar * 70}%` }} />
      ))}
    </div>
  );
}

type DeviceChoice = Readonly<Record<DeviceSource, boolean>>;

type Trouble =
  | { kind: 'denied' | 'missing' | 'busy'; which: 'Both' | 'Camera' | 'Microphone' }
  | { kind: 'unblurred'; which: 'Camera' };

function groupOf(problem: MediaProblemKind | null): Trouble['kind'] | null {
  if (problem === null || problem === 'dismissed') return null;
  return problem === 'denied' || problem === 'missing' || problem === 'unblurred' ? problem : 'busy';
}

export function findDeviceTrouble(
  own: Pick<LocalDevicesState, DeviceSource>,
  deviceChoice: DeviceChoice,
): Trouble | null {
  const camera = deviceChoice.camera ? groupOf(own.camera.problem) : null;
  const microphone = deviceChoice.microphone ? groupOf(own.microphone.problem) : null;
  const kind = camera ?? microphone;
  if (kind === null) return null;
  if (kind === 'unblurred') return { kind, which: 'Camera' };
  if (camera === microphone) return { kind, which: 'Both' };
  // If the problems differ, the camera's comes first, and the other follows once it is solved.
  return { kind, which: camera === null ? 'Microphone' : 'Camera' };
}

function titleOf(trouble: Trouble) {
  if (trouble.kind === 'unblurred') return 'meeting:problem.unblurredCamera' as const;
  return `meeting:problem.${trouble.kind}${trouble.which}` as const;
}

interface LocalPreviewProps {
  name: string;
  imageUrl: string | null | undefined;
  deviceChoice: DeviceChoice;
  onChange: (source: DeviceSource, on: boolean) => void;
}

/** Preview of the user as others will see them, with the switches. */
export function LocalPreview({ name, imageUrl, deviceChoice, onChange }: LocalPreviewProps) {
  const { t } = useTexts(meetingTexts);
  const { own } = useRoomSession();
  const state = useStore(own.store);
  const { camera, microphone } = state;
  const trouble = findDeviceTrouble(state, deviceChoice);
  return (
    <section
      aria-label={t('meeting:ready.preview')}
      className={classNames(
        'relative grid w-full overflow-hidden rounded-card bg-sunken text-ink [color-scheme:dark]',
        // A problem's text must be fully visible, and the covered picture needs no fixed shape. Above the join button,
        // in a low window, the required action takes precedence over the preview.
        trouble
          ? 'min-h-60 sm:min-h-80 lg:aspect-video'
          : 'aspect-[4/3] max-h-[50dvh] max-lg:max-h-[min(50dvh,max(9rem,100dvh-26rem))] sm:aspect-video',
      )}
    >
      {camera.track && deviceChoice.camera ? (
        <VideoView track={camera.track} mirrored className="absolute inset-0 size-full object-cover" />
      ) : (
        <div className="absolute inset-0 flex flex-col items-center justify-center gap-3 pb-12">
          <Avatar name={name} imageUrl={imageUrl} size={96} />
          {!trouble && (
            <p className="text-14 text-muted">
              {t(camera.status === 'requesting' ? 'meeting:ready.cameraStarting' : 'meeting:ready.cameraOff')}
            </p>
          )}
        </div>
      )}
      {trouble && (
        <div
          role="alert"
          className="relative flex flex-col items-center justify-center gap-2 bg-sunken/95 px-6 pt-6 pb-21 text-center text-balance"
        >
          <CircleAlert aria-hidden="true" className="size-8 text-warning-text" />
          <h2 className="text-16 font-semibold">{t(titleOf(trouble))}</h2>
          <p className="max-w-96 text-13 text-muted">{t(`meeting:problem.${trouble.kind}Text`)}</p>
          <div className="mt-2 flex flex-wrap justify-center gap-2">
            <Button
              size="small"
              onClick={() => {
                for (const source of ['microphone', 'camera'] as const) {
                  if (deviceChoice[source]) own.open(source).catch(() => {});
                }
              }}
            >
              {t('meeting:problem.again')}
            </Button>
            <Button
              size="small"
              kind="secondary"
              onClick={() => {
                for (const source of ['microphone', 'camera'] as const) {
                  if (state[source].problem !== null) onChange(source, false);
                }
              }}
            >
              {t('meeting:problem.without')}
            </Button>
          </div>
        </div>
      )}
      <div className="absolute inset-x-0 bottom-3 flex items-center justify-center gap-3">
        <PreviewSwitch
          on={deviceChoice.microphone}
          label={t(deviceChoice.microphone ? 'meeting:room.microphoneOff' : 'meeting:room.microphoneOn')}
          onPress={() => onChange('microphone', !deviceChoice.microphone)}
        >
          {deviceChoice.microphone ? <Mic /> : <MicOff />}
        </PreviewSwitch>
        <PreviewSwitch
          on={deviceChoice.camera}
          label={t(deviceChoice.camera ? 'meeting:room.cameraOff' : 'meeting:room.cameraOn')}
          onPress={() => onChange('camera', !deviceChoice.camera)}
        >
          {deviceChoice.camera ? <Video /> : <VideoOff />}
        </PreviewSwitch>
      </div>
      {deviceChoice.microphone && microphone.track && (
        <LevelMeter track={microphone.track} className="absolute end-3 bottom-4 rounded-full bg-raised px-3 py-2" />
      )}
    </section>
  );
}

interface PreviewSwitchProps {
  on: boolean;
  label: string;
  onPress: () => void;
  children: React.ReactNode;
}

function PreviewSwitch({ on, label, onPress, children }: PreviewSwitchProps) {
  return (
    <Tooltip label={label}>
      <button
        type="button"
        aria-label={label}
        onClick={onPress}
        className={classNames(
          'inline-flex size-12 items-center justify-center rounded-full transition-colors duration-150 [&_svg]:size-5',
          on ? 'bg-raised text-ink hover:bg-overlay' : 'bg-danger text-on-danger hover:bg-danger-hover',
        )}
      >
        {children}
      </button>
    </Tooltip>
  );
}
