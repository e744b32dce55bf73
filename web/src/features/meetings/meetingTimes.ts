import type { Meeting } from '@nolo/api';
import { dateFormat } from '../../i18n/locale.ts';

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** "in 5 minutes", "2 days ago"; null for what is less than a minute away. */
export function awayFrom(at: number, now: number, locale: string): string | null {
  const distance = at - now;
  const unit = units.find(([, length]) => Math.abs(distance) >= length);
  if (!unit) return null;
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.trunc(distance / unit[1]), unit[0]);
}

/** "45 min", "1 hr 30 min". */
export function durationWords(minutes: number, locale: string): string {
  const part = (value: number, unit: 'hour' | 'minute') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(hours > 0 ? [part(hours, 'hour')] : []), ...(rest > 0 || hours === 0 ? [part(rest, 'minute')] : [])].join(
    ' ',
  );
}

/** Day and hour of a planned meeting, with the year only where it is another. */
export function plannedTime(at: number, now: number, locale: string): string {
  const thisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return dateFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(!thisYear && { year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  }).format(at);
}

/** The moment that a card is about; null where none is set. */
export function momentOfMeeting(meeting: Meeting): string | null {
  switch (meeting.status) {
    case 'live':
      return meeting.startedAt ?? meeting.createdAt;
    case 'scheduled':
      return meeting.scheduledAt;
    case 'completed':
    case 'cancelled':
      return meeting.endedAt ?? meeting.updatedAt;
  }
}
