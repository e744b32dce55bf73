import type { Call } from '@nolo/api';

/** How long somebody talked; 0 where nobody answered, and while it goes on. */
export function secondsOf({ startedAt, endedAt }: Pick<Call, 'startedAt' | 'endedAt'>): number {
  return startedAt === null || endedAt === null ? 0 : (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
}
