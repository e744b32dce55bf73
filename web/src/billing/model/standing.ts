import type { Billing } from '@nolo/api';
import { planIds, type PlanId } from '@nolo/rules';

/** Offer on a plan's card. */
export type PlanOffer = 'current' | 'upgrade' | 'downgrade' | 'next' | 'none';

/** Returns what the holder of this plan can do with another one. */
export function toPlanOffer(
  plan: PlanId,
  billing: Pick<Billing, 'plan' | 'source' | 'nextPlan' | 'status'>,
): PlanOffer {
  if (plan === billing.plan) return 'current';
  if (planIds.indexOf(plan) > planIds.indexOf(billing.plan)) return 'upgrade';
  // Plans from others end with them, and the user has nothing of their own to downgrade.
  if (billing.source !== 'own') return 'none';
  if (getPlanAfterPeriod(billing) === plan) return 'next';
  return billing.status === 'grace' ? 'none' : 'downgrade';
}

/** Returns the plan after the end of the period; null if it continues. */
export function getPlanAfterPeriod({ nextPlan, status }: Pick<Billing, 'nextPlan' | 'status'>): PlanId | null {
  return nextPlan ?? (status === 'ending' ? 'free' : null);
}

/** Text about the plan's time: the sentence, and its date. */
interface PlanOutlook {
  readonly sentence: 'free' | 'renews' | 'becomes' | 'grace' | 'seat' | 'seatUntil' | 'given' | 'givenUntil';
  readonly at: string | null;
}

export function describePlanOutlook(billing: Billing): PlanOutlook {
  const { source, status, periodEndsAt, graceEndsAt } = billing;
  if (source === 'seat') return { sentence: periodEndsAt === null ? 'seat' : 'seatUntil', at: periodEndsAt };
  if (source === 'grant') return { sentence: periodEndsAt === null ? 'given' : 'givenUntil', at: periodEndsAt };
  if (billing.plan === 'free') return { sentence: 'free', at: null };
  if (status === 'grace') return { sentence: 'grace', at: graceEndsAt };
  return { sentence: getPlanAfterPeriod(billing) === null ? 'renews' : 'becomes', at: periodEndsAt };
}

/** Returns true if the running plan can be extended by payment. */
export const isRenewable = ({ source, plan }: Pick<Billing, 'source' | 'plan'>): boolean =>
  source === 'own' && plan !== 'free';
