import type { StatusUpdate } from '@nolo/api';
import { cutText, toReadableStatusBackground } from '@nolo/rules';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { getVoicePlayer } from '../chat/media/player.ts';
import { Spinner } from '../ui/Spinner.tsx';
import { computeShownMs } from './model/sequence.ts';
import { useTexts } from '../i18n/texts.ts';
import { statusTexts } from './statusTexts.ts';

export interface StatusViewerContentProps {
  status: StatusUpdate;
  name: string;
  paused: boolean;
  onProgress: (share: number) => void;
  onEnd: () => void;
}

/** Status update at full size. Reports its progress and its end. */
export function StatusViewerContent(props: StatusViewerContentProps) {
  const { status } = props;
  if (status.mediaType === 'text') return <Words {...props} />;
  if (status.mediaType === 'video') return <Video {...props} />;
  return <Image {...props} />;
}

const tickMs = 50;

/** Runs the timer unless paused. Loading time does not count. */
function useCountdown(status: StatusUpdate, running: boolean, { onProgress, onEnd }: StatusViewerContentProps): void {
  const spent = useRef(0);
  const progress = useEffectEvent(onProgress);
  const end = useEffectEvent(onEnd);
  const totalMs = computeShownMs(status);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => {
      // A hidden tab shows nothing.
      if (document.hidden) return;
      spent.current += tickMs;
      progress(Math.min(1, spent.current / totalMs));
      if (spent.current >= totalMs) end();
    }, tickMs);
    return () => clearInterval(timer);
  }, [running, totalMs]);
}

function Words(props: StatusViewerContentProps) {
  const { content, backgroundColor, textColor, font } = props.status;
  useCountdown(props.status, !props.paused, props);
  const size = content.length < 60 ? 'text-[2rem]' : content.length < 200 ? 'text-[1.5rem]' : 'text-[1.125rem]';
  return (
    <div
      className="flex size-full overflow-y-auto p-6 sm:rounded-card forced-colors:border"
      style={{
        backgroundColor: toReadableStatusBackground(backgroundColor, textColor),
        color: textColor,
        fontFamily: font,
      }}
    >
      <p
        dir="auto"
        className={`m-auto max-w-full text-center leading-snug font-medium wrap-anywhere whitespace-pre-wrap ${size}`}
      >
        {content}
      </p>
    </div>
  );
}

function altOf({ extra }: StatusUpdate): string {
  const alt = extra?.['alt'];
  return typeof alt === 'string' ? cutText(alt, 500) : '';
}

function Image(props: StatusViewerContentProps) {
  const { t } = useTexts(statusTexts);
  const [state, setState] = useState<'loading' | 'here' | 'failed'>('loading');
  const { status, name } = props;
  useCountdown(status, !props.paused && state !== 'loading', props);
  return (
    <>
      {state === 'failed' || status.mediaUrl === null ? (
        <Failed />
      ) : (
        <img
          src={`${status.mediaUrl}?size=960`}
          alt={altOf(status) || t('status:photoFrom', { name })}
          draggable={false}
          onLoad={() => setState('here')}
          onError={() => setState('failed')}
          className="absolute inset-0 size-full object-contain"
        />
      )}
      {state === 'loading' && <Waiting />}
    </>
  );
}

function Video({ status, name, paused, onProgress, onEnd }: StatusViewerContentProps) {
  const { t } = useTexts(statusTexts);
  const player = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<'loading' | 'here' | 'failed'>('loading');
  const [isMuted, setMuted] = useState(false);
  useEffect(() => getVoicePlayer().pause(), []);
  useEffect(() => {
    const video = player.current;
    if (!video) return;
    if (paused) video.pause();
    else {
      video.play().catch((error: unknown) => {
        // If the browser requires a press for sound, the video plays muted.
        if ((error as DOMException).name === 'NotAllowedError') setMuted(true);
      });
    }
  }, [paused, isMuted]);
  if (state === 'failed' || status.mediaUrl === null) return <Failed />;
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- people's own videos have none */}
      <video
        ref={player}
        src={`${status.mediaUrl}?full`}
        {...(status.previewUrl !== null && { poster: `${status.previewUrl}?size=960` })}
        aria-label={altOf(status) || t('status:videoFrom', { name })}
        playsInline
        muted={isMuted}
        onPlaying={() => setState('here')}
        onTimeUpdate={({ currentTarget: { currentTime, duration } }) => {
          if (Number.isFinite(duration) && duration > 0) onProgress(Math.min(1, currentTime / duration));
        }}
        onEnded={onEnd}
        onError={() => setState('failed')}
        className="absolute inset-0 size-full object-contain"
      />
      {state === 'loading' && <Waiting />}
    </>
  );
}

function Waiting() {
  return (
    <span className="absolute inset-0 flex items-center justify-center">
      <Spinner className="size-8" />
    </span>
  );
}

function Failed() {
  const { t } = useTexts(statusTexts);
  return (
    <p role="alert" className="absolute inset-0 flex items-center justify-center px-6 text-center text-14">
      {t('status:viewer.mediaFailed')}
    </p>
  );
}
