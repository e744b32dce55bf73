import type { StatusUpdate } from '@nolo/api';
import { serverNow } from '../api/serverClock.ts';
import { formatTimeSince } from '../i18n/relativeTime.ts';
import { useNow } from '../shell/useNow.ts';
import { toTimeLeft } from './model/times.ts';
import { useTexts } from '../i18n/texts.ts';
import { statusTexts } from './statusTexts.ts';

/** Returns a status update's age and remaining time as up-to-date text. */
export function useStatusTimes(): (status: Pick<StatusUpdate, 'createdAt' | 'expiresAt'>) => {
  since: string;
  left: string;
} {
  const { t } = useTexts(statusTexts);
  // Renders again each minute. The text uses the server's clock.
  useNow();
  return ({ createdAt, expiresAt }) => {
    const now = serverNow();
    const left = toTimeLeft(expiresAt, now);
    return {
      since: formatTimeSince(Date.parse(createdAt), now, t),
      left: t(`status:left.${left.unit}`, { count: left.count }),
    };
  };
}
