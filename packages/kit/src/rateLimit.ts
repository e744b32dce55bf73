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
  /**
   * So many points a process takes out of the shared budget at a time, and then counts by itself: for
   * limits that every request meets. Never more is allowed than `points`, over all processes; one that
   * holds points which another would need makes it less, by `chunk` at most. 1 unless set, and always
   * where failClosed.
   */
  chunk?: number;
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

/** Points that a process has taken and not used yet; they are worth nothing after the window. */
interface Share {
  left: number;
  readonly untilMs: number;
}

/** Above this all are let go, and whoever comes takes anew. */
const mostShares = 20_000;

/** The library rejects with a result where the limit is reached, and with an error where Redis cannot be asked. */
function reached(failure: unknown): RateLimiterRes {
  if (failure instanceof RateLimiterRes) return failure;
  throw failure;
}

interface Counter {
  readonly shared: RateLimiterRedis;
  readonly local: RateLimiterMemory;
  readonly points: number;
  readonly failClosed: boolean;
  readonly chunk: number;
}

/** Takes `count` points. Answers how many of them were still within the limit, and for how long they may be used. */
async function take({ shared, local, points, failClosed }: Counter, key: string, count: number) {
  let result: RateLimiterRes;
  try {
    result = await shared.consume(key, count).catch(reached);
  } catch (failure) {
    if (failClosed) {
      throw new AppError('unavailable', 'limits_unavailable', 'This cannot be checked right now. Try again soon.', {
        retryAfterMs: 1000,
        cause: failure,
      });
    }
    result = await local.consume(key, count).catch(reached);
  }
  return { granted: count - Math.max(0, result.consumedPoints - points), ms: result.msBeforeNext };
}

export function createLimiter<Name extends string>(options: {
  redis: Redis;
  table: Readonly<Record<Name, Limit>>;
}): Limiter<Name> {
  const counters = new Map<string, Counter>();
  for (const [name, { points, durationSeconds, failClosed = false, chunk = 1 }] of Object.entries<Limit>(
    options.table,
  )) {
    const common = { keyPrefix: `limit:${name}`, points, duration: durationSeconds };
    counters.set(name, {
      shared: new RateLimiterRedis({ ...common, storeClient: options.redis, rejectIfRedisNotReady: true }),
      local: new RateLimiterMemory(common),
      points,
      failClosed,
      chunk: failClosed ? 1 : chunk,
    });
  }
  const shares = new Map<string, Share>();
  const asking = new Map<string, Promise<void>>();

  const takeOrRefuse = async (name: Name, counter: Counter, key: string, count: number): Promise<Share> => {
    const askedAt = performance.now();
    const { granted, ms } = await take(counter, key, count);
    if (granted > 0) return { left: granted, untilMs: askedAt + ms };
    throw new AppError('rate_limited', 'rate_limited', 'Too many attempts. Try again later.', {
      retryAfterMs: Math.max(1, ms),
      details: { limit: name },
    });
  };

  const takeShare = async (name: Name, counter: Counter, key: string, place: string): Promise<void> => {
    try {
      const share = await takeOrRefuse(name, counter, key, counter.chunk);
      if (shares.size >= mostShares) shares.clear();
      shares.set(place, share);
    } finally {
      asking.delete(place);
    }
  };

  return {
    async consume(name, key) {
      const counter = counters.get(name);
      if (!counter) throw new Error(`There is no limit "${name}" in the table.`);
      if (counter.chunk === 1) {
        await takeOrRefuse(name, counter, key, 1);
        return;
      }
      const place = `${name}:${key}`;
      for (;;) {
        const share = shares.get(place);
        if (share && share.left > 0 && share.untilMs > performance.now()) {
          share.left -= 1;
          return;
        }
        let asked = asking.get(place);
        if (!asked) {
          asked = takeShare(name, counter, key, place);
          asking.set(place, asked);
        }
        await asked;
      }
    },
  };
}
