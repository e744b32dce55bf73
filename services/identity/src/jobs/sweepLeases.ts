import type { Clock } from '@nolo/kit/clock';
import type { UserId } from '@nolo/kit/ids';
import type { DueUserQueue } from '../domain/ports.ts';

export interface SweepLeasesDeps {
  /** Removes leases that were not renewed and returns their users. */
  takeExpired: () => Promise<string[]>;
  departures: DueUserQueue;
  clock: Clock;
}

/**
 * Handles gateways that died without reporting. Their leases expire and their users are treated as reported: those with
 * a socket on another gateway stay online, the others are announced. Returns how many leases expired.
 */
export async function sweepLeases({ takeExpired, departures, clock }: SweepLeasesDeps): Promise<number> {
  const now = clock.now();
  const userIds = await takeExpired();
  for (const userId of userIds) await departures.recordLastSeen(userId as UserId, now);
  return userIds.length;
}
