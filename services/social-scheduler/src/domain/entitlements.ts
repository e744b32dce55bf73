import type { UserId } from '@nolo/kit/ids';
import { limitDetails, type LimitedFeature } from '@nolo/rules';
import { failSocial } from '../errors.ts';
import type { PlatformId } from './platform.ts';

/** What the plan of an account allows here (spec section 6, decision 27); Infinity without a limit. */
export interface Entitlement {
  /** Platforms that are connected at a time; several accounts at one count once. */
  readonly platforms: number;
  /** Posts that go out at a chosen time in a calendar month where the person is. */
  readonly scheduledPosts: number;
}

export type EntitlementOf = (userId: UserId) => Promise<Entitlement>;

/** With the limit and what lifts it. */
export const beyondPlan = (feature: LimitedFeature, limit: number, used: number) =>
  failSocial('plan_limited', 'social_limit_plan', 'Your plan does not reach that far.', {
    ...limitDetails(feature, limit, used),
  });

/** @throws AppError social_limit_plan where another platform would be one too many; what is connected stays. */
export function mustAllowPlatform(
  { platforms }: Entitlement,
  connected: readonly PlatformId[],
  platform: PlatformId,
): void {
  const known = new Set(connected);
  if (!known.has(platform) && known.size >= platforms) throw beyondPlan('platforms', platforms, known.size);
}

/**
 * After a downgrade everything stays connected, and new posts go to as many platforms as the plan has: those that were
 * connected first. What was scheduled before goes out everywhere.
 *
 * @param connected in the order in which they were
 * @throws AppError social_limit_plan
 */
export function mustAllowPosting(
  { platforms }: Entitlement,
  connected: readonly PlatformId[],
  wanted: readonly PlatformId[],
): void {
  const known = [...new Set(connected)];
  const covered = known.slice(0, platforms);
  if (wanted.some((platform) => !covered.includes(platform))) throw beyondPlan('platforms', platforms, known.length);
}
