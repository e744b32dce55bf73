import type { KeyboardEvent, PointerEvent } from 'react';
import { classNames } from '../../ui/classNames.ts';
import { formatClockDuration } from '../../i18n/sizeText.ts';
import { waveformBarCount } from './waveform.ts';
import { useTexts } from '../../i18n/texts.ts';
import { voiceTexts } from '../media/voiceTexts.ts';

export interface WaveformProps {
  /** Heights from 0 to 100. Absent: a plain line. */
  bars: readonly number[] | undefined;
  /** Position in seconds. */
  time: number;
  duration: number;
  onSeek: (seconds: number) => void;
}

const barWidth = 2;
const step = 3.25;
const height = 28;
const stepSeconds = 5;

/** Loudness over the duration, marked up to the current position. A press or the arrow keys seek. */
export function Waveform({ bars, time, duration, onSeek }: WaveformProps) {
  const { t } = useTexts(voiceTexts);
  const all = bars ?? Array.from({ length: waveformBarCount }, () => 0);
  const width = all.length * step;
  const share = duration > 0 ? Math.min(1, time / duration) : 0;
  const isRtl = () => document.documentElement.dir === 'rtl';

  const seekTo = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const along = (event.clientX - box.left) / Math.max(1, box.width);
    onSeek(Math.min(1, Math.max(0, isRtl() ? 1 - along : along)) * duration);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const forward = isRtl() ? 'ArrowLeft' : 'ArrowRight';
    const back = isRtl() ? 'ArrowRight' : 'ArrowLeft';
    const to =
      event.key === forward || event.key === 'ArrowUp'
        ? time + stepSeconds
        : event.key === back || event.key === 'ArrowDown'
          ? time - stepSeconds
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? duration
              : null;
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    onSeek(Math.min(duration, Math.max(0, to)));
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t('voice:position')}
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={Math.round(time)}
      aria-valuetext={t('voice:at', { time: formatClockDuration(time), total: formatClockDuration(duration) })}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        // Dragging along the waveform is not a swipe to reply.
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        seekTo(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event);
      }}
      className="h-7 w-full min-w-0 cursor-pointer touch-none rounded-control py-0.5 focus-visible:outline-2 focus-visible:outline-focus"
    >
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="size-full rtl:-scale-x-100"
      >
        {all.map((level, index) => {
          const tall = Math.max(barWidth, (level / 100) * height);
          return (
            <rect
              key={index}
              x={index * step}
              y={(height - tall) / 2}
              width={barWidth}
              height={tall}
              rx={barWidth / 2}
              className={classNames(
                'fill-current',
                (index + 0.5) / all.length <= share ? 'text-accent-text' : 'text-muted opacity-65',
              )}
            />
          );
        })}
      </svg>
    </div>
  );
}
