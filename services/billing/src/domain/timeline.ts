import { addOns, inTime, isAddOn, isPaidPlan, type AddOn, type Fact, type Ordered, type PaidPlan } from './facts.ts';
import { deriveOrder } from './orderState.ts';
import { addPeriod, graceMs, remindedAheadMs, type Period, type WorthOf } from './periods.ts';

/** What somebody has and had, at any time: all that follows from the facts and not from the clock. Kept as JSON. */
export interface Timeline {
  readonly plan: readonly Period[];
  readonly addOns: Readonly<Record<AddOn, readonly Period[]>>;
  /** Given by hand, beside what is paid for. */
  readonly given: readonly Period[];
  /** Whether the plan ends with what is paid for, without days of grace. */
  readonly isEnding: boolean;
  /** What is to follow, where the person chose something less. */
  readonly next: PaidPlan | null;
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
export function deriveTimeline({ orders, facts }: Known, worthOf: WorthOf): Timeline {
  const paying = new Map<string, Ordered>();
  for (const order of orders) {
    const { state, payment } = deriveOrder(order, facts);
    if (payment && (state === 'paid' || state === 'disputed')) paying.set(payment.id, order);
  }
  let { plan, isEnding, next } = emptyTimeline;
  const bought: Record<AddOn, readonly Period[]> = { ...emptyTimeline.addOns };
  for (const fact of inTime(facts)) {
    if (fact.kind === 'ending' || fact.kind === 'resumed') isEnding = fact.kind === 'ending';
    if (fact.kind === 'resumed') next = null;
    if (fact.kind === 'plan_chosen') {
      isEnding = fact.plan === 'free';
      next = fact.plan === 'free' ? null : fact.plan;
    }
    const order = paying.get(fact.id);
    if (!order) continue;
    const { item, quantity } = order;
    const one = { item, quantity, at: fact.at.getTime() };
    if (isAddOn(item)) bought[item] = addPeriod(bought[item], one, worthOf, true);
    if (!isPaidPlan(item)) continue;
    plan = addPeriod(plan, one, worthOf, !isEnding);
    // Whoever pays for a plan does not end it any more.
    isEnding = false;
    next = null;
  }
  return { plan, addOns: bought, given: givenOf(facts), isEnding, next };
}

function givenOf(facts: readonly Fact[]): Period[] {
  const ends = new Map<string, number>();
  for (const fact of facts) if (fact.kind === 'grant_ended') ends.set(fact.grantId, fact.at.getTime());
  return inTime(facts).flatMap((fact) => {
    if (fact.kind !== 'grant') return [];
    const [from, until] = [fact.at.getTime(), Math.min(fact.until.getTime(), ends.get(fact.id) ?? Infinity)];
    return until > from ? [{ item: fact.item, quantity: fact.quantity, from, until }] : [];
  });
}

export type SubscriptionState = 'active' | 'ending' | 'grace' | 'ended';

/** A plan or an add-on, as it stands at a moment. */
export interface Standing {
  readonly period: Period;
  readonly state: SubscriptionState;
  /** Until when it is paid for, with what follows the period without a break and is the same. */
  readonly until: number;
}

/** Of periods that follow one another: the one that holds, or held last. */
function standingAt(periods: readonly Period[], isEnding: boolean, now: number): Standing | undefined {
  const begun = periods.filter(({ from }) => from <= now);
  const period = begun.at(-1);
  if (!period) return undefined;
  const isLast = period === periods.at(-1);
  const { until } = period;
  if (now < until) return { period, until, state: isLast && isEnding ? 'ending' : 'active' };
  return { period, until, state: !isEnding && now < until + graceMs ? 'grace' : 'ended' };
}

export const planAt = (timeline: Timeline, now: number): Standing | undefined =>
  standingAt(timeline.plan, timeline.isEnding, now);

export const addOnAt = (timeline: Timeline, addOn: AddOn, now: number): Standing | undefined =>
  standingAt(timeline.addOns[addOn], false, now);

export const givenAt = (timeline: Timeline, now: number): Period[] =>
  timeline.given.filter(({ from, until }) => from <= now && now < until);

/** What somebody may use at a moment, by what they pay for or were given. */
export interface Held {
  readonly plan: PaidPlan | 'free';
  readonly seats: number;
  readonly addOns: Readonly<Record<AddOn, number>>;
}

export function heldAt(timeline: Timeline, now: number): Held {
  const given = givenAt(timeline, now);
  const paid = planAt(timeline, now);
  const held = [...given, ...(paid && paid.state !== 'ended' ? [paid.period] : [])];
  const quantityOf = (item: Period['item']) =>
    held.filter((period) => period.item === item).reduce((most, { quantity }) => Math.max(most, quantity), 0);
  const seats = quantityOf('business');
  const plan = seats > 0 ? 'business' : quantityOf('plus') > 0 ? 'plus' : 'free';
  const amounts = addOns.map((addOn) => {
    const standing = addOnAt(timeline, addOn, now);
    const bought = standing && standing.state !== 'ended' ? standing.period.quantity : 0;
    const gifts = given.filter(({ item }) => item === addOn).reduce((sum, { quantity }) => sum + quantity, 0);
    return [addOn, bought + gifts] as const;
  });
  return { plan, seats, addOns: Object.fromEntries(amounts) as Record<AddOn, number> };
}

/** When something of it changes next, or is to be told, without anybody doing anything; undefined where nothing will. */
export function nextChange({ plan, addOns: bought, given }: Timeline, now: number): number | undefined {
  const paid = [...plan, ...addOns.flatMap((addOn) => bought[addOn])];
  const times = [
    ...paid.flatMap(({ from, until }) => [from, until - remindedAheadMs, until, until + graceMs]),
    ...given.flatMap(({ from, until }) => [from, until]),
  ].filter((time) => time > now);
  return times.length === 0 ? undefined : Math.min(...times);
}
