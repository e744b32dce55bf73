import { rateLimits, demoRateLimits, newAccountLimits, type RateLimit, type RateLimitName } from '@nolo/rules';
import type { Clock } from '@nolo/kit/clock';
import { AppError, isAppError } from '@nolo/kit/errors';
import { createdAtOfId } from '@nolo/kit/ids';
import { createLimiter, withQuota } from '@nolo/kit/rateLimit';
import type { Redis } from '@nolo/kit/redis';
import { createGatewayError } from '../errors.ts';

export interface GatewayRateLimiter {
  /**
   * Consumes from a limit. @throws AppError rate_limited with the time to wait, or unavailable if the limit fails
   * closed.
   */
  consume(name: RateLimitName, key: string): Promise<void>;
  /**
   * Runs work within the account's limit; a new account also uses the smaller budget of new accounts. For a limit on
   * completed work (`quota`), failed work costs nothing.
   */
  within<T>(userId: string, name: RateLimitName, work: () => Promise<T>): Promise<T>;
}

/**
 * Maximum remembered refusals. Callers over a limit are remembered, so that further requests cost only a map look-up;
 * quotas are exempt because they may be refunded.
 */
const maxRememberedRefusals = 10_000;

export function createGatewayRateLimiter(options: {
  redis: Redis;
  demo: boolean;
  clock: Clock;
  /** Returns the hours for which an account is new. */
  newAccountHours: () => number;
}): GatewayRateLimiter {
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

  /** Returns the milliseconds for which an account is still new. */
  const newForMs = (userId: string): number => {
    const made = createdAtOfId(userId)?.getTime();
    return made === undefined ? 0 : made + options.newAccountHours() * 3_600_000 - options.clock.now().getTime();
  };

  /**
   * Converts a refusal of a new account: it names that reason and the time when either the budget refills or the
   * account is no longer new.
   */
  const newAccountLimited = ({ retryAfterMs = 1_000, details }: AppError, leftMs: number): AppError => {
    const waitMs = Math.min(retryAfterMs, leftMs);
    const until = new Date(options.clock.now().getTime() + waitMs).toISOString();
    const words = 'New accounts may do this less often.';
    return createGatewayError(
      'rate_limited',
      'new_account_limit',
      words,
      { ...details, until },
      { retryAfterMs: waitMs },
    );
  };

  const asNewcomer = async <T>(userId: string, name: RateLimitName, work: () => Promise<T>): Promise<T> => {
    const leftMs = newForMs(userId);
    if (!newAccountLimits[name] || leftMs <= 0) return await work();
    const consume = () =>
      newcomers.consume(name, userId).catch((error: unknown) => {
        throw isAppError(error) && error.kind === 'rate_limited' ? newAccountLimited(error, leftMs) : error;
      });
    return await withQuota({ ...newcomers, consume }, { name, key: userId }, work);
  };

  const limits: GatewayRateLimiter = {
    within: (userId, name, work) =>
      withQuota({ ...limiter, consume: limits.consume }, { name, key: userId }, () => asNewcomer(userId, name, work)),

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
          if (refused.size >= maxRememberedRefusals) refused.clear();
          refused.set(place, { error, untilMs: now + (error.retryAfterMs ?? 1_000) });
        }
        throw error;
      }
    },
  };
  return limits;
}
