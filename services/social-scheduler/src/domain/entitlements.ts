import type { UserId } from '@nolo/kit/ids';
import { createLimitDetails, type LimitedFeature } from '@nolo/rules';
import { createSocialError } from '../errors.ts';
import type { PlatformId } from './platform.ts';

/** Plan limits of an account (spec section 6, decision 27). Infinity: no limit. */
export interface SocialEntitlement {
  /** Maximum platforms connected at a time. Several accounts on one platform count once. */
  readonly platforms: number;
  /** Maximum scheduled posts per calendar month in the person's time zone. */
  readonly scheduledPosts: number;
}

export type LoadSocialEntitlement = (userId: UserId) => Promise<SocialEntitlement>;

/** Builds the error with the limit and the plan that raises it. */
export const createPlanLimitError = (feature: LimitedFeature, limit: number, used: number) =>
  createSocialError('plan_limited', 'social_limit_plan', 'Your plan does not include that.', {
    ...createLimitDetails(feature, limit, used),
  });

/** @throws AppError social_limit_plan if another platform would exceed the limit; connected ones stay */
export function requirePlatformAllowed(
  { platforms }: SocialEntitlement,
  connected: readonly PlatformId[],
  platform: PlatformId,
): void {
  const known = new Set(connected);
  if (!known.has(platform) && known.size >= platforms) throw createPlanLimitError('platforms', platforms, known.size);
}

/**
 * Checks a post's destinations. After a downgrade everything stays connected, but new posts go to as many platforms as
 * the plan includes: those connected first. Posts that were already scheduled go everywhere.
 *
 * @param connected in order of connection
 * @throws AppError social_limit_plan
 */
export function requirePostingAllowed(
  { platforms }: SocialEntitlement,
  connected: readonly PlatformId[],
  wanted: readonly PlatformId[],
): void {
  const known = [...new Set(connected)];
  const covered = known.slice(0, platforms);
  if (wanted.some((platform) => !covered.includes(platform)))
    throw createPlanLimitError('platforms', platforms, known.length);
}
