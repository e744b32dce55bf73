import type { RateLimitName } from './limits.ts';

/** Whose codes are counted: the account's, or the address's of somebody without one, which may be empty if nobody knows it. */
interface CodeHolder {
  readonly actorId: string | undefined;
  readonly address: string;
}

/**
 * The counters of somebody's wrong room codes, in the order in which a miss takes from them: who has spent their own takes
 * nothing more from those that they share with others.
 */
export function roomCodeMisses({ actorId, address }: CodeHolder): readonly (readonly [RateLimitName, string])[] {
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

/** The counter of the doors that somebody tries while one of those is spent. */
export function guardedDoors({ actorId, address }: CodeHolder): readonly (readonly [RateLimitName, string])[] {
  if (actorId !== undefined) return [['guardedDoorsPerUser', actorId]];
  return address === '' ? [] : [['guardedDoorsPerAddress', address]];
}
