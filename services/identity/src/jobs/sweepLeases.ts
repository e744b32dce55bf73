import type { Clock } from '@nolo/kit/clock';
import type { UserId } from '@nolo/kit/ids';
import type { DueUsers } from '../domain/ports.ts';

export interface SweepLeasesDeps {
  /** Takes out leases that nobody renewed and answers with their users. */
  takeExpired: () => Promise<string[]>;
  departures: DueUsers;
  clock: Clock;
}

/**
 * A gateway that dies says nothing. Its leases run out, and its users are treated as if it had reported
 * them: whoever has a socket at another gateway stays online, the others are announced. Answers how many those are.
 */
export async function sweepLeases({ takeExpired, departures, clock }: SweepLeasesDeps): Promise<number> {
  const now = clock.now();
  const userIds = await takeExpired();
  for (const userId of userIds) await departures.note(userId as UserId, now);
  return userIds.length;
}
