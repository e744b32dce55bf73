import { useEffect, useState } from 'react';
import type { RoomAnnouncement } from '@nolo/client/rooms/roomState';
import { personName, useRoomState } from './roomContext.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

/** Milliseconds: long enough to read, short enough not to disturb. */
const showMs = 4_000;

/** Announces who joined, left, and raised a hand: to screen readers, and in a discreet line for everyone. */
export function RoomAnnouncer() {
  const { t } = useTexts(meetingTexts);
  const news = useRoomState((state) => state.news);
  const [shown, setShown] = useState<readonly RoomAnnouncement[]>([]);
  const [last, setLast] = useState(news.at(-1)?.id ?? 0);
  const newest = news.at(-1)?.id ?? 0;
  if (newest > last) {
    setLast(newest);
    setShown((before) => [...before, ...news.filter(({ id }) => id > last)].slice(-3));
  }
  useEffect(() => {
    if (shown.length === 0) return undefined;
    const timer = setTimeout(() => setShown((lines) => lines.slice(1)), showMs);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div
      role="log"
      aria-live="polite"
      aria-label={t('meeting:news.region')}
      className="pointer-events-none absolute inset-x-5 top-5 z-20 flex flex-col items-start gap-1.5"
    >
      {shown.map(({ id, kind, person }) => (
        <p
          key={id}
          // The banner shows who asks to join, with the actions.
          className={
            kind === 'knocked'
              ? 'sr-only'
              : 'animate-fade-in rounded-card bg-overlay px-3 py-1 text-13 text-ink shadow-raised'
          }
        >
          {t(`meeting:news.${kind}`, { name: person ? personName(person, t) : '' })}
        </p>
      ))}
    </div>
  );
}
