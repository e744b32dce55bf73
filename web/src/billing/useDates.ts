import { dateFormat } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';

/** Formats a day for periods and payments. */
export function useDates(): (at: string) => string {
  const locale = useLocale();
  return (at) => dateFormat(locale, { dateStyle: 'long' }).format(Date.parse(at));
}
