import { getDateFormat } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';

/** Formats a day for periods and payments. */
export function useBillingDateFormatter(): (at: string) => string {
  const locale = useLocale();
  return (at) => getDateFormat(locale, { dateStyle: 'long' }).format(Date.parse(at));
}
