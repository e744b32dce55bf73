import { dateFormat } from '../i18n/dates.ts';

/** A moment to the minute, as lists have it. */
export const momentText = (at: string, locale: string): string =>
  dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(Date.parse(at));
