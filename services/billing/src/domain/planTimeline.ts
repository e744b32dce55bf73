import { addOnIds, isAddOn, type AddOnId, type PaidPlanId, type PlanId } from '@nolo/rules';
import { sortByTime, type BillingFact, type OrderContents } from './facts.ts';
import { deriveOrder } from './orderState.ts';
import {
  addPlanPeriod,
  addAddOnPeriod,
  planGraceMs,
  remindedAheadMs,
  type Purchase,
  type PaidPeriod,
} from './periods.ts';

/** Plans and add-ons of a person at any time: everything derived from the facts but not the clock. Stored as JSON. */
export interface PlanTimeline {
  readonly plan: readonly PaidPeriod[];
  readonly addOns: Readonly<Record<AddOnId, readonly PaidPeriod[]>>;
  /** Manual grants, in addition to paid periods. */
  readonly given: readonly PaidPeriod[];
  /** True if the plan ends with its paid period, without days of grace. */
  readonly isEnding: boolean;
  /** Smaller plan that the person chose to follow. */
  readonly next: { readonly plan: PaidPlanId; readonly seats: number } | null;
}

export const emptyPlanTimeline: PlanTimeline = {
  plan: [],
  addOns: { storage: [], transcription: [] },
  given: [],
  isEnding: false,
  next: null,
};

interface Known {
  readonly orders: readonly OrderContents[];
  readonly facts: readonly BillingFact[];
}

/** Derives the same timeline from the same facts, in any order. */
export function derivePlanTimeline({ orders, facts }: Known): PlanTimeline {
  const paying = new Map<string, OrderContents>();
  for (const order of orders) {
    const { state, payment } = deriveOrder(order, facts);
    if (payment && (state === 'paid' || state === 'disputed')) paying.set(payment.id, order);
  }
  let { plan, isEnding, next } = emptyPlanTimeline;
  const addOns: Record<AddOnId, readonly PaidPeriod[]> = { ...emptyPlanTimeline.addOns };
  for (const fact of sortByTime(facts)) {
    if (fact.kind === 'ending' || fact.kind === 'resumed') {
      isEnding = fact.kind === 'ending';
      next = null;
    }
    if (fact.kind === 'plan_chosen') {
      isEnding = fact.plan === 'free';
      next = fact.plan === 'free' ? null : { plan: fact.plan, seats: fact.seats };
    }
    const order = paying.get(fact.id);
    if (!order) continue;
    const bought = boughtBy(order, fact.at);
    if (isAddOn(order.item)) {
      addOns[order.item] = addAddOnPeriod(addOns[order.item], bought);
      continue;
    }
    plan = addPlanPeriod(plan, bought, !isEnding);
    // Paying for a plan revokes its planned end.
    isEnding = false;
    next = null;
  }
  return { plan, addOns, given: givenOf(facts), isEnding, next };
}

function boughtBy({ item, seats, money, credit }: OrderContents, at: Date): Purchase {
  const share = money.amount / (money.amount + credit);
  return { item, seats, currency: money.currency, at: at.getTime(), share };
}

function givenOf(facts: readonly BillingFact[]): PaidPeriod[] {
  const ends = facts.filter(({ kind }) => kind === 'grants_ended').map(({ at }) => at.getTime());
  return sortByTime(facts).flatMap((fact) => {
    if (fact.kind !== 'grant') return [];
    const from = fact.at.getTime();
    const until = Math.min(fact.until.getTime(), ...ends.filter((end) => end >= from));
    return until > from ? [{ item: fact.plan, seats: fact.seats, currency: 'USD', from, until }] : [];
  });
}

type SubscriptionState = 'active' | 'ending' | 'grace' | 'ended';

/** Plan at a moment. */
export interface PlanStanding {
  readonly period: PaidPeriod;
  readonly state: SubscriptionState;
  /** Plan after the period, if different. */
  readonly next: { readonly plan: PlanId; readonly seats: number } | null;
}

/** Returns the current or latest paid period. */
export function planStandingAt({ plan, isEnding, next }: PlanTimeline, now: number): PlanStanding | undefined {
  const place = plan.findLastIndex(({ from }) => from <= now);
  const period = plan[place];
  if (!period) return undefined;
  const follower = plan[place + 1];
  if (follower) return { period, state: 'active', next: { plan: planOf(follower), seats: follower.seats } };
  const after = isEnding ? { plan: 'free' as const, seats: 0 } : next;
  if (now < period.until) return { period, state: isEnding ? 'ending' : 'active', next: after };
  return { period, state: !isEnding && now < period.until + planGraceMs ? 'grace' : 'ended', next: after };
}

const planOf = ({ item }: PaidPeriod): PaidPlanId => (item === 'business' ? 'business' : 'plus');

export const activeGrants = (timeline: PlanTimeline, now: number): PaidPeriod[] =>
  timeline.given.filter(({ from, until }) => from <= now && now < until);

/** Returns the active periods of an add-on, including grace. */
export const activeAddOnPeriods = (timeline: PlanTimeline, addOn: AddOnId, now: number): PaidPeriod[] =>
  timeline.addOns[addOn].filter(({ from, until }) => from <= now && now < until + planGraceMs);

/** Permissions of a person at a moment from own payments and grants, without seats of other people. */
export interface PersonalPlan {
  readonly plan: PlanId;
  readonly source: 'own' | 'grant' | 'none';
  readonly seats: number;
  readonly addOns: Readonly<Record<AddOnId, number>>;
}

const rank: Readonly<Record<PlanId, number>> = { free: 0, plus: 1, business: 2 };

export function personalPlanAt(timeline: PlanTimeline, now: number): PersonalPlan {
  const standing = planStandingAt(timeline, now);
  let personalPlan: Pick<PersonalPlan, 'plan' | 'source' | 'seats'> = { plan: 'free', source: 'none', seats: 0 };
  if (standing && standing.state !== 'ended') {
    // A smaller plan was chosen for after the period, so the grace applies to that plan.
    const less = standing.state === 'grace' && standing.next;
    const own = less || { plan: planOf(standing.period), seats: standing.period.seats };
    personalPlan = { ...own, source: 'own' };
  }
  for (const period of activeGrants(timeline, now)) {
    const plan = planOf(period);
    if (rank[plan] > rank[personalPlan.plan] || (plan === personalPlan.plan && period.seats > personalPlan.seats)) {
      personalPlan = { plan, seats: period.seats, source: 'grant' };
    }
  }
  const addOns = Object.fromEntries(addOnIds.map((addOn) => [addOn, activeAddOnPeriods(timeline, addOn, now).length]));
  return { ...personalPlan, addOns: addOns as Record<AddOnId, number> };
}

/** Returns the next time when something changes or is announced automatically. Undefined if nothing will. */
export function nextChangeTime({ plan, addOns, given }: PlanTimeline, now: number): number | undefined {
  const paid = [...plan, ...addOnIds.flatMap((addOn) => addOns[addOn])];
  const times = [
    ...paid.flatMap(({ from, until }) => [from, until - remindedAheadMs, until, until + planGraceMs]),
    ...given.flatMap(({ from, until }) => [from, until]),
  ].filter((time) => time > now);
  return times.length === 0 ? undefined : Math.min(...times);
}
