import type { StatusUpdate } from '@nolo/api';
import { serverNow } from '../api/serverClock.ts';
import { sinceLabel } from '../i18n/relativeTime.ts';
import { useNow } from '../shell/useNow.ts';
import { leftWords } from './model/times.ts';
import { useStatusWords } from './useStatusWords.ts';

/** How long ago a status update was posted, and what is left of it, in words that stay true. */
export function useStatusTimes(): (status: Pick<StatusUpdate, 'createdAt' | 'expiresAt'>) => {
  since: string;
  left: string;
} {
  const { t } = useStatusWords();
  // Draws anew each minute; what is said goes by the server's clock.
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
