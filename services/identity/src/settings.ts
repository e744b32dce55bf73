import { createLimiter } from '@nolo/kit/rateLimit';
import type { ServiceContext } from '@nolo/kit/service';
import { followOperatorSettings } from '@nolo/installation/settings';
import { demoRateLimits, parseSettings, rateLimits, type RateLimit, type RateLimitName } from '@nolo/rules';
import type { IdentityConfig } from './config.ts';
import type { InstallationSettingStore } from './domain/installationSettings.ts';
import { createIdentityMetrics } from './metrics.ts';
import { createKeyReader } from './store/keys.ts';

/** Returns the rate limits with overrides from the environment. */
function limitsOf({ NOLO_MODE, SMS_PER_DAY, SMS_PER_COUNTRY_DAY }: IdentityConfig): Record<RateLimitName, RateLimit> {
  const table: Record<RateLimitName, RateLimit> =
    NOLO_MODE === 'demo' ? { ...rateLimits, ...demoRateLimits } : rateLimits;
  const budget = (defaultLimit: RateLimit, points: number | undefined) => ({
    ...defaultLimit,
    points: points ?? defaultLimit.points,
  });
  return {
    ...table,
    textMessagesPerDay: budget(table.textMessagesPerDay, SMS_PER_DAY),
    textMessagesPerCountryDay: budget(table.textMessagesPerCountryDay, SMS_PER_COUNTRY_DAY),
  };
}

/** Creates what depends on operators' runtime settings: limits, metrics that name them, and registration. */
export function createAdjusted(service: ServiceContext<IdentityConfig>, kept: InstallationSettingStore) {
  const list = async () => ({ settings: await kept.current() });
  const { current } = followOperatorSettings(service, { list, read: parseSettings });
  const table = limitsOf(service.config);
  const pointsOf = (name: RateLimitName): number | undefined => {
    const { textMessagesPerDay, textMessagesPerCountryDay } = current();
    const set: Partial<Record<RateLimitName, number | undefined>> = { textMessagesPerDay, textMessagesPerCountryDay };
    return set[name];
  };
  const defaultLimit = table.textMessagesPerDay.points;
  return {
    limiter: createLimiter({ redis: service.redis, table, pointsOf }),
    metrics: createIdentityMetrics(service.metrics, {
      textMessagesPerDay: () => pointsOf('textMessagesPerDay') ?? defaultLimit,
      devices: () => createKeyReader(service.db, service.scrapeDb).countByState(service.clock.now()),
    }),
    registration: () => current().registration ?? 'open',
  };
}
