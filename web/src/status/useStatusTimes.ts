import type { StatusUpdate } from '@nolo/api';
import { serverNow } from '../api/serverClock.ts';
import { sinceLabel } from '../i18n/relativeTime.ts';
import { useNow } from '../shell/useNow.ts';
import { leftWords } from './model/times.ts';
import { useStatusWords } from './useStatusWords.ts';

/** Returns a status update's age and remaining time as up-to-date text. */
export function useStatusTimes(): (status: Pick<StatusUpdate, 'createdAt' | 'expiresAt'>) => {
  since: string;
  left: string;
} {
  const { t } = useStatusWords();
  // Renders again each minute. The text uses the server's clock.
  useNow();
  return ({ createdAt, expiresAt }) => {
    const now = serverNow();
    const left = leftWords(expiresAt, now);
    return {
      since: sinceLabel(Date.parse(createdAt), now, t),
      left: t(`status.left.${left.unit}`, { count: left.count }),
    };
  };
}
