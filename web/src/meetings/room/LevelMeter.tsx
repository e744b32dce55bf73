import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { watchMicrophoneLevel } from './media/sound.ts';
import { classNames } from '../../ui/classNames.ts';

const bars = [0.12, 0.3, 0.5, 0.7, 0.88];

/** Meter of the user's own microphone. It bypasses React, because it changes constantly. */
export function LevelMeter({ track, className }: { track: MediaStreamTrack; className?: string }) {
  const { t } = useTranslation();
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
      aria-label={t('meeting.ready.level')}
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
