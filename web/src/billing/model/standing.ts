import type { Billing } from '@nolo/api';
import { planIds } from '@nolo/rules';
import type { PlanId } from '@nolo/rules';

/** What a plan's card offers. */
export type PlanOffer = 'current' | 'upgrade' | 'downgrade' | 'next' | 'none';

/** What can be done with a plan by whoever has this one. */
export function offerOf(plan: PlanId, billing: Pick<Billing, 'plan' | 'source' | 'nextPlan' | 'status'>): PlanOffer {
  if (plan === billing.plan) return 'current';
  if (planIds.indexOf(plan) > planIds.indexOf(billing.plan)) return 'upgrade';
  // What others pay for or gave ends with them, and nothing of one's own could become less.
  if (billing.source !== 'own') return 'none';
  if (nextPlanOf(billing) === plan) return 'next';
  return billing.status === 'grace' ? 'none' : 'downgrade';
}

/** What the plan becomes at the end of its period; null where it goes on. */
export function nextPlanOf({ nextPlan, status }: Pick<Billing, 'nextPlan' | 'status'>): PlanId | null {
  return nextPlan ?? (status === 'ending' ? 'free' : null);
}

/** What is said of the plan's time: which sentence, and the day in it. */
export interface WhatComes {
  readonly sentence: 'free' | 'renews' | 'becomes' | 'grace' | 'seat' | 'seatUntil' | 'given' | 'givenUntil';
  readonly at: string | null;
}

export function whatComes(billing: Billing): WhatComes {
  const { source, status, periodEndsAt, graceEndsAt } = billing;
  if (source === 'seat') return { sentence: periodEndsAt === null ? 'seat' : 'seatUntil', at: periodEndsAt };
  if (source === 'grant') return { sentence: periodEndsAt === null ? 'given' : 'givenUntil', at: periodEndsAt };
  if (billing.plan === 'free') return { sentence: 'free', at: null };
  if (status === 'grace') return { sentence: 'grace', at: graceEndsAt };
  return { sentence: nextPlanOf(billing) === null ? 'renews' : 'becomes', at: periodEndsAt };
}

/** Whether the running plan can be paid on. */
export const isPaidOn = ({ source, plan }: Pick<Billing, 'source' | 'plan'>): boolean =>
  source === 'own' && plan !== 'free';
