import { addOnIds, isAddOn, type AddOnId, type PaidPlanId, type PlanId } from '@nolo/rules';
import { inTime, type Fact, type Ordered } from './facts.ts';
import { deriveOrder } from './orderState.ts';
import { addPlan, addRun, graceMs, remindedAheadMs, type Bought, type Period } from './periods.ts';

/** What somebody has and had, at any time: all that follows from the facts and not from the clock. Kept as JSON. */
export interface Timeline {
  readonly plan: readonly Period[];
  readonly addOns: Readonly<Record<AddOnId, readonly Period[]>>;
  /** Given by hand, beside what is paid for. */
  readonly given: readonly Period[];
  /** Whether the plan ends with what is paid for, without days of grace. */
  readonly isEnding: boolean;
  /** What is to follow, where the person chose something less. */
  readonly next: { readonly plan: PaidPlanId; readonly seats: number } | null;
}

export const emptyTimeline: Timeline = {
  plan: [],
  addOns: { storage: [], transcription: [] },
  given: [],
  isEnding: false,
  next: null,
};

interface Known {
  readonly orders: readonly Ordered[];
  readonly facts: readonly Fact[];
}

/** The same from the same facts, in whatever order they came. */
export function deriveTimeline({ orders, facts }: Known): Timeline {
  const paying = new Map<string, Ordered>();
  for (const order of orders) {
    const { state, payment } = deriveOrder(order, facts);
    if (payment && (state === 'paid' || state === 'disputed')) paying.set(payment.id, order);
  }
  let { plan, isEnding, next } = emptyTimeline;
  const addOns: Record<AddOnId, readonly Period[]> = { ...emptyTimeline.addOns };
  for (const fact of inTime(facts)) {
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
      addOns[order.item] = addRun(addOns[order.item], bought);
      continue;
    }
    plan = addPlan(plan, bought, !isEnding);
    // Whoever pays for a plan does not end it any more.
    isEnding = false;
    next = null;
  }
  return { plan, addOns, given: givenOf(facts), isEnding, next };
}

function boughtBy({ item, seats, money, credit }: Ordered, at: Date): Bought {
  const share = money.amount / (money.amount + credit);
  return { item, seats, currency: money.currency, at: at.getTime(), share };
}

function givenOf(facts: readonly Fact[]): Period[] {
  const ends = facts.filter(({ kind }) => kind === 'grants_ended').map(({ at }) => at.getTime());
  return inTime(facts).flatMap((fact) => {
    if (fact.kind !== 'grant') return [];
    const from = fact.at.getTime();
    const until = Math.min(fact.until.getTime(), ...ends.filter((end) => end >= from));
    return until > from ? [{ item: fact.plan, seats: fact.seats, currency: 'USD', from, until }] : [];
  });
}

export type SubscriptionState = 'active' | 'ending' | 'grace' | 'ended';

/** A plan as it stands at a moment. */
export interface Standing {
  readonly period: Period;
  readonly state: SubscriptionState;
  /** What comes after the period, where that is something else. */
  readonly next: { readonly plan: PlanId; readonly seats: number } | null;
}

/** Of what was paid for: the period that runs, or ran last. */
export function standingAt({ plan, isEnding, next }: Timeline, now: number): Standing | undefined {
  const place = plan.findLastIndex(({ from }) => from <= now);
  const period = plan[place];
  if (!period) return undefined;
  const follower = plan[place + 1];
  if (follower) return { period, state: 'active', next: { plan: planOf(follower), seats: follower.seats } };
  const after = isEnding ? { plan: 'free' as const, seats: 0 } : next;
  if (now < period.until) return { period, state: isEnding ? 'ending' : 'active', next: after };
  return { period, state: !isEnding && now < period.until + graceMs ? 'grace' : 'ended', next: after };
}

const planOf = ({ item }: Period): PaidPlanId => (item === 'business' ? 'business' : 'plus');

export const givenAt = (timeline: Timeline, now: number): Period[] =>
  timeline.given.filter(({ from, until }) => from <= now && now < until);

/** Of add-ons, grace is time too. */
export const runsAt = (timeline: Timeline, addOn: AddOnId, now: number): Period[] =>
  timeline.addOns[addOn].filter(({ from, until }) => from <= now && now < until + graceMs);

/** What somebody may use at a moment by what they pay for or were given, without seats of others. */
export interface Held {
  readonly plan: PlanId;
  readonly source: 'own' | 'grant' | 'none';
  readonly seats: number;
  readonly addOns: Readonly<Record<AddOnId, number>>;
}

const rank: Readonly<Record<PlanId, number>> = { free: 0, plus: 1, business: 2 };

export function heldAt(timeline: Timeline, now: number): Held {
  const standing = standingAt(timeline, now);
  let held: Pick<Held, 'plan' | 'source' | 'seats'> = { plan: 'free', source: 'none', seats: 0 };
  if (standing && standing.state !== 'ended') {
    // Less was chosen for the time after the period, so the grace is of that.
    const less = standing.state === 'grace' && standing.next;
    const own = less || { plan: planOf(standing.period), seats: standing.period.seats };
    held = { ...own, source: 'own' };
  }
  for (const period of givenAt(timeline, now)) {
    const plan = planOf(period);
    if (rank[plan] > rank[held.plan] || (plan === held.plan && period.seats > held.seats)) {
      held = { plan, seats: period.seats, source: 'grant' };
    }
  }
  const addOns = Object.fromEntries(addOnIds.map((addOn) => [addOn, runsAt(timeline, addOn, now).length]));
  return { ...held, addOns: addOns as Record<AddOnId, number> };
}

/** When something of it changes next, or is to be told, without anybody doing anything; undefined where nothing will. */
export function nextChange({ plan, addOns, given }: Timeline, now: number): number | undefined {
  const paid = [...plan, ...addOnIds.flatMap((addOn) => addOns[addOn])];
  const times = [
    ...paid.flatMap(({ from, until }) => [from, until - remindedAheadMs, until, until + graceMs]),
    ...given.flatMap(({ from, until }) => [from, until]),
  ].filter((time) => time > now);
  return times.length === 0 ? undefined : Math.min(...times);
}
