import type { UserId } from '@nolo/kit/ids';
import { failSocial } from '../errors.ts';
import type { PlatformId } from './platform.ts';

/** What the plan of an account allows here (spec section 6, decision 27). */
export interface Entitlement {
  /** Platforms that are connected at a time; several accounts at one count once. */
  readonly platforms: number;
  /** Posts that are scheduled in a month (UTC). */
  readonly scheduledPerMonth: number;
}

export type EntitlementOf = (userId: UserId) => Promise<Entitlement>;

/** Until billing decides, everybody may do everything. */
export const everything: Entitlement = { platforms: Infinity, scheduledPerMonth: Infinity };

const beyondPlan = (what: keyof Entitlement, limit: number) =>
  failSocial('plan_limited', 'social_limit_plan', 'Your plan does not reach that far.', { what, limit });

/** @throws AppError social_limit_plan where another platform would be one too many; what is connected stays. */
export function mustAllowPlatform(
  { platforms }: Entitlement,
  connected: readonly PlatformId[],
  platform: PlatformId,
): void {
  const known = new Set(connected);
  if (!known.has(platform) && known.size >= platforms) throw beyondPlan('platforms', platforms);
}

/** @throws AppError social_limit_plan where as many are scheduled in this month as the plan has */
export async function mustAllowSchedule(
  { scheduledPerMonth }: Entitlement,
  now: Date,
  countSince: (begin: Date) => Promise<number>,
): Promise<void> {
  if (scheduledPerMonth === Infinity) return;
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
  if ((await countSince(month)) >= scheduledPerMonth) throw beyondPlan('scheduledPerMonth', scheduledPerMonth);
}
