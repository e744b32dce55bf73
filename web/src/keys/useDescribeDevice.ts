import type { KeyDevice } from '@nolo/client/keys/types';
import { getDateFormat } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { useTexts } from '../i18n/texts.ts';
import { keysTexts } from './keysTexts.ts';
import { useKeyDeviceName } from './useKeyDeviceName.ts';

/** Returns functions that say when and by whom a device was added, and why it is suspended. */
export function useDescribeDevice(devices: readonly KeyDevice[]) {
  const { t } = useTexts(keysTexts);
  const locale = useLocale();
  const nameOf = useKeyDeviceName();
  return {
    added({ addedBy, createdAt }: KeyDevice): string {
      const date = getDateFormat(locale, { dateStyle: 'medium' }).format(Date.parse(createdAt));
      if (addedBy === null) return t('keys:row.first', { date });
      if (addedBy === 'recovery') return t('keys:row.byRecovery', { date });
      const adder = devices.find(({ id }) => id === addedBy.device);
      return adder === undefined
        ? t('keys:row.added', { date })
        : t('keys:row.byDevice', { date, device: nameOf(adder.name) });
    },
    /** Null if it is not suspended. */
    suspended({ suspendedAt, sessionExpired }: KeyDevice): string | null {
      if (suspendedAt === null) return null;
      return t(sessionExpired ? 'keys:row.expired' : 'keys:row.ended');
    },
  };
}
