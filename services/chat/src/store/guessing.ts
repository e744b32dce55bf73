import type { Redis } from '@nolo/kit/redis';
import type { Guessing } from '../domain/groupPorts.ts';

/** The key under which meetings counts too: the codes are of one name space, and so are the guesses. */
const missesKey = 'guessing:misses';

/** Where Redis is away nothing counts, and nobody is kept out for it. */
export function createGuessing(redis: Redis, limit: { points: number; durationSeconds: number }): Guessing {
  return {
    async missed() {
      // A miss that cannot be counted is no reason to fail what it belongs to.
      const count = await redis.incr(missesKey).catch(() => 0);
      if (count === 1) await redis.expire(missesKey, limit.durationSeconds).catch(() => 0);
    },
    isUnderWay: async () => Number((await redis.get(missesKey).catch(() => null)) ?? 0) >= limit.points,
  };
}
