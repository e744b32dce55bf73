import type { Translate } from './texts.ts';

const hourMs = 3_600_000;

/** Position of a label: alone, or within a sentence such as "Started {{time}}". */
type Place = 'alone' | 'inSentence';

/**
 * Returns the age of a moment in the specification's labels (section 9): 'Just now' under an hour, then hours, then
 * days. `at` and `now` are milliseconds since the epoch. A future moment counts as now.
 */
export function formatTimeSince(at: number, now: number, t: Translate, place: Place = 'alone'): string {
  const hours = Math.floor((now - at) / hourMs);
  if (hours < 1) return t(place === 'alone' ? 'common.since.now' : 'common.since.nowInSentence');
  if (hours < 24) return t('common.since.hours', { count: hours });
  return t('common.since.days', { count: Math.floor(hours / 24) });
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 24 * hourMs],
  ['month', 30 * 24 * hourMs],
  ['day', 24 * hourMs],
  ['hour', hourMs],
  ['minute', 60_000],
];

/** Returns how far away a planned moment is ("in 5 minutes"), or how long ago it was, like `formatTimeSince`. */
export function formatTimeUntil(at: number, now: number, locale: string, t: Translate, place: Place = 'alone'): string {
  if (at <= now) return formatTimeSince(at, now, t, place);
  const [unit, length] = units.find(([, size]) => at - now >= size) ?? ['minute', 60_000];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.trunc((at - now) / length), unit);
}
