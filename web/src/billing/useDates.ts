import { dateFormat } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';

/** A day as it is written of periods and payments. */
export function useDates(): (at: string) => string {
  const locale = useLocale();
  return (at) => dateFormat(locale, { dateStyle: 'long' }).format(Date.parse(at));
}
