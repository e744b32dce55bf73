import { limits } from '@nolo/rules';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import type { VideoTrim } from './trimVideo.ts';
import { useLocalUrl } from './useLocalUrl.ts';
import { useStatusWords } from './useStatusWords.ts';

export interface VideoTrimmerProps {
  file: File;
  /** Duration of the video in seconds. */
  seconds: number;
  onTrimmed: (file: File) => void;
  onCancel: () => void;
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Chooses the part of a long video to post, and trims it. */
export function VideoTrimmer({ file, seconds, onTrimmed, onCancel }: VideoTrimmerProps) {
  const { t } = useStatusWords();
  const label = useId();
  const url = useLocalUrl(file);
  const player = useRef<HTMLVideoElement>(null);
  const trimming = useRef<VideoTrim>(null);
  const [from, setFrom] = useState(0);
  const [share, setShare] = useState<number | null>(null);
  const [failed, setFailed] = useState(false);
  const length = limits.statusVideoSeconds;
  const to = Math.min(seconds, from + length);
  useEffect(() => () => trimming.current?.cancel(), []);

  const trim = async () => {
    setFailed(false);
    setShare(0);
    try {
      const { trimVideo } = await import('./trimVideo.ts');
      trimming.current = trimVideo(file, { from, to }, setShare);
      onTrimmed(await trimming.current.done);
    } catch {
      setFailed(true);
      setShare(null);
    }
  };
  return (
    <div className="flex flex-col gap-3">
      {url !== undefined && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- people's own videos have none
        <video
          ref={player}
          src={url}
          controls
          playsInline
          aria-labelledby={label}
          className="aspect-4/3 w-full rounded-card bg-[#0b0a09] object-contain"
        />
      )}
      <p id={label} className="text-14 font-medium">
        {t('status.trim.title', { seconds: length })}
      </p>
      <label className="flex flex-col gap-1 text-13">
        {t('status.trim.start')}
        <input
          type="range"
          min={0}
          max={Math.max(0, Math.ceil(seconds - length))}
          step={1}
          value={from}
          disabled={share !== null}
          aria-valuetext={t('status.trim.range', { from: clock(from), to: clock(to) })}
          onChange={(event) => {
            const next = Number(event.target.value);
            setFrom(next);
            if (player.current) player.current.currentTime = next;
          }}
          className="accent-accent"
        />
        <span className="tabular text-muted">{t('status.trim.range', { from: clock(from), to: clock(to) })}</span>
      </label>
      <p role="alert" className="text-13 text-danger-text empty:hidden">
        {failed && t('status.trim.failed', { seconds: length })}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Button kind="secondary" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button busy={share !== null} onClick={() => void trim()}>
          {t('status.trim.apply')}
        </Button>
        {share !== null && (
          <span role="status" className="tabular text-13 text-muted">
            {t('status.trim.working', { percent: Math.round(share * 100) })}
          </span>
        )}
      </div>
    </div>
  );
}
