import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from './errors.ts';

/** One line of the limits table, which stands in packages/rules. */
export interface Limit {
  /** So many are allowed ... */
  points: number;
  /** ... within so many seconds, counted from the first. */
  durationSeconds: number;
  /**
   * What happens when Redis cannot be asked: true refuses (sign-in paths, where a limit that is off
   * means that codes can be guessed); false counts in this process alone, which is looser by the
   * number of replicas but keeps people talking.
   */
  failClosed?: boolean;
}

export interface Limiter<Name extends string> {
  /**
   * Takes from the budget of `key` (an account, an address, a target) under the limit `name`.
   *
   * @throws AppError rate_limited 'rate_limited' with retryAfterMs; unavailable
   *   'limits_unavailable' where failClosed and Redis is away.
   */
  consume(name: Name, key: string): Promise<void>;
}

export function createLimiter<Name extends string>(options: {
  redis: Redis;
  table: Readonly<Record<Name, Limit>>;
}): Limiter<Name> {
  const limiters = new Map<string, { shared: RateLimiterRedis; local: RateLimiterMemory; failClosed: boolean }>();
  for (const [name, limit] of Object.entries<Limit>(options.table)) {
    const common = {
      keyPrefix: `limit:${name}`,
      points: limit.points,
      duration: limit.durationSeconds,
    };
    limiters.set(name, {
      shared: new RateLimiterRedis({ ...common, storeClient: options.redis, rejectIfRedisNotReady: true }),
      local: new RateLimiterMemory(common),
      failClosed: limit.failClosed ?? false,
    });
  }
  const limiterFor = (name: Name) => {
    const limiter = limiters.get(name);
    if (!limiter) throw new Error(`There is no limit "${name}" in the table.`);
    return limiter;
  };

  return {
    async consume(name, key) {
      const { shared, local, failClosed } = limiterFor(name);
      try {
        await shared.consume(key).catch(async (failure: unknown) => {
          // The library rejects with a result where the limit is reached, and with an error otherwise.
          if (failure instanceof RateLimiterRes) throw failure;
          if (failClosed) {
            throw new AppError(
              'unavailable',
              'limits_unavailable',
              'This cannot be checked right now. Try again soon.',
              {
                retryAfterMs: 1000,
                cause: failure,
              },
            );
          }
          await local.consume(key);
        });
      } catch (failure) {
        if (!(failure instanceof RateLimiterRes)) throw failure;
        throw new AppError('rate_limited', 'rate_limited', 'Too many attempts. Try again later.', {
          retryAfterMs: Math.max(1, failure.msBeforeNext),
          details: { limit: name },
        });
      }
    },
  };
}
