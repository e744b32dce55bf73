import { getDateFormat } from '../../i18n/dates.ts';

/** Returns the days between two moments by the calendar, not by the clock. */
function calendarDays(from: number, to: number): number {
  const midnight = (at: number) => new Date(at).setHours(0, 0, 0, 0);
  return Math.round((midnight(to) - midnight(from)) / 86_400_000);
}

/**
 * Returns the label of a day above its messages: Today, Yesterday, a weekday within the last week, otherwise the date.
 */
export function dayLabel(at: number, now: number, locale: string, words: { today: string; yesterday: string }): string {
  const days = calendarDays(at, now);
  if (days <= 0) return words.today;
  if (days === 1) return words.yesterday;
  if (days < 7) return getDateFormat(locale, { weekday: 'long' }).format(at);
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return getDateFormat(locale, { day: 'numeric', month: 'long', ...(sameYear ? {} : { year: 'numeric' }) }).format(at);
}
