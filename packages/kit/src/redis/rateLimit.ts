import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../errors.ts';
import { networksOf } from '../network.ts';

/** Entry of the limits table in packages/rules. */
export interface LimitRule {
  /** Allowed points ... */
  points: number;
  /** ... within this many seconds, counted from the first. */
  durationSeconds: number;
  /**
   * Behavior while Redis is unavailable: true refuses (sign-in paths, where codes could be guessed without a limit);
   * false counts in this process only, which multiplies the limit by the number of replicas but keeps chats working.
   */
  failClosed?: boolean;
  /**
   * Points that a process takes from the shared budget at a time and then counts locally, for limits that apply to
   * every request. All processes together never allow more than `points`; a process that holds points another one needs
   * reduces the total by at most `chunk`. Default: 1, also whenever failClosed.
   */
  chunk?: number;
  /**
   * True to count completed actions instead of requests: the caller returns the points of a refused request
   * (`withQuota`), and an attempt over the limit takes nothing. Implies a chunk of 1.
   */
  quota?: boolean;
}

export interface Limiter<Name extends string> {
  /**
   * Takes from the budget of `key` (an account, an address, a target) under the limit `name`. For limits whose name
   * ends in `PerAddress`, the key is an address, as a socket reports it or cut to its narrowest network: an IPv6
   * address takes from the budget of its /64, and then from that of its /48, which has `ipv6SiteFactor` times the
   * points.
   *
   * @param points cost, for a limit without a `chunk` and without a quota; the last call within the limit may cost
   *   more than what is left
   * @throws AppError rate_limited 'rate_limited' with retryAfterMs; unavailable
   *   'limits_unavailable' if failClosed and Redis is down.
   */
  consume(name: Name, key: string, points?: number): Promise<void>;
  /**
   * Returns what `consume` took from a quota, because nothing was done. Never rejects: if the store is down, the window
   * ends by itself.
   */
  giveBack(name: Name, key: string): Promise<void>;
  /**
   * Returns true if the budget is used up, without taking from it. For a limit with a `chunk`, this reflects the store,
   * not the points that processes hold.
   *
   * @throws AppError unavailable 'limits_unavailable' if failClosed and Redis is down.
   */
  isSpent(name: Name, key: string): Promise<boolean>;
}

/**
 * Factor by which an IPv6 /48 has more points than a /64. Mobile networks put many customers into one /48, each with a
 * /64 or two; the owner of a whole /48 has 65,536.
 */
export const ipv6SiteFactor = 16;

/** Points that a process has taken and not used yet; worthless after the window. */
interface Share {
  left: number;
  readonly untilMs: number;
}

/** Maximum cached shares. Above it all are dropped, and callers take new ones. */
const maxShares = 20_000;

/**
 * Returns the result of a reached limit. The library rejects with a result if the limit is reached, and with an error
 * if Redis is unavailable.
 */
function reached(failure: unknown): RateLimiterRes {
  if (failure instanceof RateLimiterRes) return failure;
  throw failure;
}

interface Counter {
  readonly shared: RateLimiterRedis;
  readonly local: RateLimiterMemory;
  /** Multiplier of the table's points. */
  readonly factor: number;
  readonly failClosed: boolean;
  readonly chunk: number;
  readonly quota: boolean;
}

const unavailable = (cause: unknown) =>
  new AppError('unavailable', 'limits_unavailable', 'Rate limits cannot be checked right now. Try again soon.', {
    retryAfterMs: 1000,
    cause,
  });

/** Takes `count` points. Returns how many were within the limit, and for how long they may be used. */
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

/** Takes `count` points of a quota for the work, and returns them if it fails. */
export async function withQuota<Name extends string, T>(
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
  table: Readonly<Record<Name, LimitRule>>;
  /** Separates counters of the same names that are counted in several places. */
  place?: string;
  /** Current override of a limit's points, which may change at run time. */
  pointsOf?: (name: Name) => number | undefined;
}): Limiter<Name> {
  const place = options.place === undefined ? '' : `:${options.place}`;
  const createCounter = (name: string, limit: LimitRule, factor: number): Counter => {
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
  /** Counters for the key itself, or for an address's networks from the narrowest on. */
  const counters = new Map<string, readonly Counter[]>(
    Object.entries<LimitRule>(options.table).map(([name, limit]) => {
      const factors = name.endsWith('PerAddress') ? [1, ipv6SiteFactor] : [1];
      return [name, factors.map((factor) => createCounter(name, limit, factor))];
    }),
  );
  /** Returns the budgets that a key draws from. */
  const budgetsOf = (name: Name, key: string) => {
    const named = counters.get(name);
    if (!named) throw new Error(`Unknown limit "${name}".`);
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
  const pendingShares = new Map<string, Promise<void>>();

  const takeOrRefuse = async (name: Name, counter: Counter, key: string, count: number): Promise<Share> => {
    const requestedAt = performance.now();
    const { granted, ms } = await take(counter, key, count);
    if (granted > 0) return { left: granted, untilMs: requestedAt + ms };
    if (counter.quota) await putBack(counter, key);
    throw new AppError('rate_limited', 'rate_limited', 'Too many attempts. Try again later.', {
      retryAfterMs: Math.max(1, ms),
      details: { limit: name },
    });
  };

  const takeShare = async (name: Name, counter: Counter, key: string, shareOf: string): Promise<void> => {
    try {
      const share = await takeOrRefuse(name, counter, key, counter.chunk);
      if (shares.size >= maxShares) shares.clear();
      shares.set(shareOf, share);
    } finally {
      pendingShares.delete(shareOf);
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
      let pendingShare = pendingShares.get(shareOf);
      if (!pendingShare) {
        pendingShare = takeShare(name, counter, key, shareOf);
        pendingShares.set(shareOf, pendingShare);
      }
      await pendingShare;
    }
  };

  return {
    async consume(name, key, points = 1) {
      // Sequential, so that what exceeds a narrow network's budget costs the wider one nothing.
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
