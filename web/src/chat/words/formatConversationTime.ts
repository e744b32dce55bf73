import { formatClockTime, getDateFormat, formatExactTime } from '../../i18n/dates.ts';

const dayMs = 86_400_000;

/**
 * Formats the specification's conversation time: a time within 24 hours, otherwise a short date. Also returns the exact
 * moment.
 */
export function formatConversationTime(at: number, now: number, locale: string): { text: string; exact: string } {
  const exact = formatExactTime(at, locale);
  if (now - at < dayMs) return { text: formatClockTime(at, locale), exact };
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const options: Intl.DateTimeFormatOptions = sameYear
    ? { day: 'numeric', month: 'short' }
    : { day: 'numeric', month: 'numeric', year: '2-digit' };
  return { text: getDateFormat(locale, options).format(at), exact };
}
