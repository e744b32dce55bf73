import { dateFormat } from '../i18n/dates.ts';

/** Formats a time to the minute, as lists show it. */
export const formatMoment = (at: string, locale: string): string =>
  dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(Date.parse(at));
