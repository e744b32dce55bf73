import type { Message } from '@nolo/api';
import { headerOf, type ConversationEpoch } from './conversation.ts';

/** Times at which rows disappear, by the timers of headers (docs/encryption.md, section 4, Timer). */

/** Milliseconds by which clocks of devices and the server may differ: the server refuses headers further ahead. */
const clocksDifferMs = 300_000;
/** Milliseconds by which the server's clock may be ahead of what this device takes it for. */
const clockStepMs = 5_000;

interface Times {
  readonly row: Pick<Message, 'createdAt'>;
  /** Milliseconds since 1970 by this device: the row was received before. */
  readonly now: number;
  /** Milliseconds since 1970 on the sender's clock, if the row is open. */
  readonly sentAt?: number;
}

/**
 * Returns when a row of an epoch disappears, in milliseconds since 1970, or null for never. Nothing was sealed for a
 * header before its committer signed it, so an earlier time of the server or the sender takes nothing away.
 */
export function disappearsAt(epoch: ConversationEpoch, { row, now, sentAt = Infinity }: Times): number | null {
  const { timer, at } = headerOf(epoch);
  if (timer === 0) return null;
  const servedAt = Date.parse(row.createdAt);
  const earliest = Math.min(sentAt, Number.isNaN(servedAt) ? now : servedAt);
  return Math.min(now, Math.max(earliest, at - clocksDifferMs)) + timer * 1_000;
}

/** Returns true if the time of a row of an epoch is over. */
export function isOver(epoch: ConversationEpoch, times: Times): boolean {
  return (disappearsAt(epoch, times) ?? Infinity) <= times.now + clockStepMs;
}
