import type { RateLimitName } from './rateLimits.ts';

/** Subject whose codes are counted: the account, or the address of a caller without one, which is empty if unknown. */
interface CodeHolder {
  readonly actorId: string | undefined;
  readonly address: string;
}

/**
 * Returns the counters of a caller's wrong room codes, in the order in which a miss draws from them: a caller whose own
 * budget is used up takes nothing more from shared ones.
 */
export function getRoomCodeMissLimits({ actorId, address }: CodeHolder): readonly (readonly [RateLimitName, string])[] {
  const counters: (readonly [RateLimitName, string])[] =
    actorId === undefined
      ? [
          ['anonymousRoomCodeMissesPerAddress', address],
          ['anonymousRoomCodeMissesOverall', 'all'],
        ]
      : [
          ['roomCodeMissesPerUser', actorId],
          ['roomCodeMissesPerAddress', address],
          ['roomCodeMissesOverall', 'all'],
        ];
  return counters.filter(([, key]) => key !== '');
}

/** Returns the counter of codes that a caller tries while one of those is used up. */
export function getGuardedAttemptLimits({
  actorId,
  address,
}: CodeHolder): readonly (readonly [RateLimitName, string])[] {
  if (actorId !== undefined) return [['guardedRoomCodesPerUser', actorId]];
  return address === '' ? [] : [['guardedRoomCodesPerAddress', address]];
}
