import { getDateFormat } from '../i18n/dates.ts';

/** Formats a time to the minute, as lists show it. */
export const formatMoment = (at: string, locale: string): string =>
  getDateFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(Date.parse(at));
