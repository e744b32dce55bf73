import type { StatusUpdate } from '@nolo/api';
import { serverNow } from '../api/serverClock.ts';
import { useNow } from '../shell/useNow.ts';
import { leftWords, sinceWords } from './model/times.ts';
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
    const since = sinceWords(createdAt, now);
    const left = leftWords(expiresAt, now);
    return {
      since: t(`status.since.${since.unit}`, { count: since.count }),
      left: t(`status.left.${left.unit}`, { count: left.count }),
    };
  };
}
