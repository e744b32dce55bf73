import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from './errors.ts';
import { networksOf } from './network.ts';

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
  /**
   * Counts what was done and not what was asked for: the caller gives back what it took for a request that is refused
   * (`withinQuota`), and an attempt over the limit takes nothing. Goes with a chunk of 1.
   */
  quota?: boolean;
}

export interface Limiter<Name extends string> {
  /**
   * Takes from the budget of `key` (an account, an address, a target) under the limit `name`. Under a limit whose name
   * ends in `PerAddress` the key is an address, as a socket has it or cut to its narrowest network: an IPv6 address takes
   * from the budget of its /64, and then from that of its /48, which has `siteFactor` times the points.
   *
   * @param points what it costs, of a limit without a `chunk` and without a quota; the last one within the limit may cost
   *   more than what is left
   * @throws AppError rate_limited 'rate_limited' with retryAfterMs; unavailable
   *   'limits_unavailable' where failClosed and Redis is away.
   */
  consume(name: Name, key: string, points?: number): Promise<void>;
  /**
   * Gives back what `consume` took of a quota, because nothing was done. Never rejects: where the store is away, the window
   * ends by itself.
   */
  giveBack(name: Name, key: string): Promise<void>;
  /**
   * Whether nothing is left of that budget, without taking from it. Of a limit with a `chunk` it says what is left in the
   * store, not what processes hold.
   *
   * @throws AppError unavailable 'limits_unavailable' where failClosed and Redis is away.
   */
  isSpent(name: Name, key: string): Promise<boolean>;
}

/**
 * How many times the points of an IPv6 /64 its /48 has. Mobile networks put many customers into one, each with a /64 or
 * two; whoever has all of it has 65,536.
 */
export const siteFactor = 16;

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
  /** How many times the points of the table this one has. */
  readonly factor: number;
  readonly failClosed: boolean;
  readonly chunk: number;
  readonly quota: boolean;
}

const unavailable = (cause: unknown) =>
  new AppError('unavailable', 'limits_unavailable', 'This cannot be checked right now. Try again soon.', {
    retryAfterMs: 1000,
    cause,
  });

/** Takes `count` points. Answers how many of them were still within the limit, and for how long they may be used. */
async function take({ shared, local, failClosed }: Counter, key: string, count: number) {
  let result: RateLimiterRes;
  try {
    result = await shared.consume(key, count).catch(reached);
  } catch (failure) {
    if (failClosed) throw unavailable(failure);
    result = await local.consume(key, count).catch(reached);
  }
  return { granted: count - Math.max(0, result.consumedPoints - shared.points), ms: result.msBeforeNext };
}

async function putBack({ shared, local }: Counter, key: string): Promise<void> {
  try {
    await shared.reward(key);
  } catch {
    await local.reward(key);
  }
}

async function isUsedUp({ shared, local, failClosed }: Counter, key: string): Promise<boolean> {
  let result: RateLimiterRes | null;
  try {
    result = await shared.get(key);
  } catch (failure) {
    if (failClosed) throw unavailable(failure);
    result = await local.get(key);
  }
  return result !== null && result.consumedPoints >= shared.points;
}

/** Takes `count` points of a quota for the work, and gives them back where it fails. */
export async function withinQuota<Name extends string, T>(
  limiter: Pick<Limiter<Name>, 'consume' | 'giveBack'>,
  { name, key, count = 1 }: { name: Name; key: string; count?: number },
  work: () => Promise<T>,
): Promise<T> {
  let taken = 0;
  try {
    for (; taken < count; taken += 1) await limiter.consume(name, key);
    return await work();
  } catch (error) {
    for (; taken > 0; taken -= 1) await limiter.giveBack(name, key);
    throw error;
  }
}

export function createLimiter<Name extends string>(options: {
  redis: Redis;
  table: Readonly<Record<Name, Limit>>;
  /** Where the same names are counted in several places, each for itself. */
  place?: string;
  /** What holds now in place of the points of the table, where somebody changes it meanwhile. */
  pointsOf?: (name: Name) => number | undefined;
}): Limiter<Name> {
  const place = options.place === undefined ? '' : `:${options.place}`;
  const createCounter = (name: string, limit: Limit, factor: number): Counter => {
    const { durationSeconds, failClosed = false, quota = false, chunk = 1 } = limit;
    const points = limit.points * factor;
    const common = { keyPrefix: `limit:${name}${place}`, points, duration: durationSeconds };
    return {
      shared: new RateLimiterRedis({ ...common, storeClient: options.redis, rejectIfRedisNotReady: true }),
      local: new RateLimiterMemory(common),
      factor,
      failClosed,
      chunk: failClosed || quota ? 1 : chunk,
      quota,
    };
  };
  /** For the key itself, or for the networks of an address from the narrowest on. */
  const counters = new Map<string, readonly Counter[]>(
    Object.entries<Limit>(options.table).map(([name, limit]) => {
      const factors = name.endsWith('PerAddress') ? [1, siteFactor] : [1];
      return [name, factors.map((factor) => createCounter(name, limit, factor))];
    }),
  );
  /** Which budgets a key stands for. */
  const budgetsOf = (name: Name, key: string) => {
    const named = counters.get(name);
    if (!named) throw new Error(`There is no limit "${name}" in the table.`);
    const keys = named.length === 1 ? [key] : networksOf(key);
    const points = options.pointsOf?.(name) ?? options.table[name].points;
    return named.flatMap((counter, index) => {
      counter.shared.points = points * counter.factor;
      counter.local.points = points * counter.factor;
      const own = keys[index];
      return own === undefined ? [] : [{ counter, key: own }];
    });
  };
  const shares = new Map<string, Share>();
  const asking = new Map<string, Promise<void>>();

  const takeOrRefuse = async (name: Name, counter: Counter, key: string, count: number): Promise<Share> => {
    const askedAt = performance.now();
    const { granted, ms } = await take(counter, key, count);
    if (granted > 0) return { left: granted, untilMs: askedAt + ms };
    if (counter.quota) await putBack(counter, key);
    throw new AppError('rate_limited', 'rate_limited', 'Too many attempts. Try again later.', {
      retryAfterMs: Math.max(1, ms),
      details: { limit: name },
    });
  };

  const takeShare = async (name: Name, counter: Counter, key: string, shareOf: string): Promise<void> => {
    try {
      const share = await takeOrRefuse(name, counter, key, counter.chunk);
      if (shares.size >= mostShares) shares.clear();
      shares.set(shareOf, share);
    } finally {
      asking.delete(shareOf);
    }
  };

  const consumeOne = async (name: Name, counter: Counter, key: string, points: number): Promise<void> => {
    if (counter.chunk === 1) {
      await takeOrRefuse(name, counter, key, points);
      return;
    }
    const shareOf = `${name}:${key}`;
    for (;;) {
      const share = shares.get(shareOf);
      if (share && share.left > 0 && share.untilMs > performance.now()) {
        share.left -= 1;
        return;
      }
      let asked = asking.get(shareOf);
      if (!asked) {
        asked = takeShare(name, counter, key, shareOf);
        asking.set(shareOf, asked);
      }
      await asked;
    }
  };

  return {
    async consume(name, key, points = 1) {
      // One after the other: what a narrow network has spent costs the wider one nothing more.
      for (const budget of budgetsOf(name, key)) await consumeOne(name, budget.counter, budget.key, points);
    },
    async giveBack(name, key) {
      for (const budget of budgetsOf(name, key)) if (budget.counter.quota) await putBack(budget.counter, budget.key);
    },
    async isSpent(name, key) {
      const spent = await Promise.all(budgetsOf(name, key).map(({ counter, key: own }) => isUsedUp(counter, own)));
      return spent.includes(true);
    },
  };
}
