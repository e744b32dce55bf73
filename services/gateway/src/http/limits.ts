import { rateLimits, demoRateLimits, newAccountLimits, type RateLimit, type RateLimitName } from '@nolo/rules';
import type { Clock } from '@nolo/kit/clock';
import { AppError, isAppError } from '@nolo/kit/errors';
import { madeAt } from '@nolo/kit/ids';
import { createLimiter, withinQuota } from '@nolo/kit/rateLimit';
import type { Redis } from '@nolo/kit/redis';
import { failGateway } from '../errors.ts';

export interface EdgeLimits {
  /** @throws AppError rate_limited with the time to wait, or unavailable where the limit fails closed. */
  consume(name: RateLimitName, key: string): Promise<void>;
  /**
   * Does the work if the account may, which while it is new takes from the smaller budget of new accounts as well. Under a
   * limit that counts what was done (`quota`), work that fails takes nothing.
   */
  within<T>(userId: string, name: RateLimitName, work: () => Promise<T>): Promise<T>;
}

/** Whoever is over a limit is remembered, apart from quotas, of which something may be given back, so that going on costs a look into a map and nothing else. */
const mostRemembered = 10_000;

export function createEdgeLimits(options: {
  redis: Redis;
  demo: boolean;
  clock: Clock;
  /** For so long an account is new. */
  newAccountHours: () => number;
}): EdgeLimits {
  const table: Record<RateLimitName, RateLimit> = { ...rateLimits, ...(options.demo ? demoRateLimits : {}) };
  const limiter = createLimiter<RateLimitName>({ redis: options.redis, table, place: 'edge' });
  const newcomers = createLimiter<RateLimitName>({
    redis: options.redis,
    table: Object.fromEntries(
      Object.entries(table).map(([name, limit]) => [name, { ...limit, ...newAccountLimits[name as RateLimitName] }]),
    ) as typeof table,
    place: 'edge:new',
  });
  const refused = new Map<string, { error: AppError; untilMs: number }>();

  /** For how long an account is still new. */
  const newForMs = (userId: string): number => {
    const made = madeAt(userId)?.getTime();
    return made === undefined ? 0 : made + options.newAccountHours() * 3_600_000 - options.clock.now().getTime();
  };

  /** Whoever is refused for being new is told so, and until when: with their budget, or with being no longer new. */
  const newAccountLimited = ({ retryAfterMs = 1_000, details }: AppError, leftMs: number): AppError => {
    const waitMs = Math.min(retryAfterMs, leftMs);
    const until = new Date(options.clock.now().getTime() + waitMs).toISOString();
    const words = 'Accounts that are new may do this less often.';
    return failGateway('rate_limited', 'new_account_limit', words, { ...details, until }, { retryAfterMs: waitMs });
  };

  const asNewcomer = async <T>(userId: string, name: RateLimitName, work: () => Promise<T>): Promise<T> => {
    const leftMs = newForMs(userId);
    if (!newAccountLimits[name] || leftMs <= 0) return await work();
    const consume = () =>
      newcomers.consume(name, userId).catch((error: unknown) => {
        throw isAppError(error) && error.kind === 'rate_limited' ? newAccountLimited(error, leftMs) : error;
      });
    return await withinQuota({ ...newcomers, consume }, { name, key: userId }, work);
  };

  const limits: EdgeLimits = {
    within: (userId, name, work) =>
      withinQuota({ ...limiter, consume: limits.consume }, { name, key: userId }, () => asNewcomer(userId, name, work)),

    async consume(name, key) {
      const place = `${name}:${key}`;
      const now = options.clock.now().getTime();
      const known = refused.get(place);
      if (known && known.untilMs > now) {
        const { kind, code, message, details } = known.error;
        throw new AppError(kind, code, message, {
          retryAfterMs: known.untilMs - now,
          ...(details === undefined ? {} : { details }),
        });
      }
      if (known) refused.delete(place);
      try {
        await limiter.consume(name, key);
      } catch (error) {
        if (isAppError(error) && error.kind === 'rate_limited' && table[name].quota !== true) {
          if (refused.size >= mostRemembered) refused.clear();
          refused.set(place, { error, untilMs: now + (error.retryAfterMs ?? 1_000) });
        }
        throw error;
      }
    },
  };
  return limits;
}
