import type { Call } from '@nolo/api';

/** Returns the duration of a conversation in seconds; 0 if unanswered or still ongoing. */
export function callSeconds({ startedAt, endedAt }: Pick<Call, 'startedAt' | 'endedAt'>): number {
  return startedAt === null || endedAt === null ? 0 : (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
}
