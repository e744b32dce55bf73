import { setTimeout as pause } from 'node:timers/promises';
import { parseActorId, newId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { BillingServiceDefinition, Subscription } from '@nolo/proto/billing';
import { addOnIds, planIds, priceOf, seatLimits } from '@nolo/rules';
import { IANAZone } from 'luxon';
import { assignDecisionTime, type BillingFact } from '../domain/facts.ts';
import { upgradeCreditAt, planGraceMs } from '../domain/periods.ts';
import { activeAddOnPeriods, planStandingAt, activeGrants, type PlanStanding } from '../domain/planTimeline.ts';
import { createBillingError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { loadEntitlements } from './entitlements.ts';
import { findTeamOfMember } from './team.ts';

type Handler<Name extends keyof (typeof BillingServiceDefinition)['methods']> = RpcHandler<
  (typeof BillingServiceDefinition)['methods'][Name]
>;

/** Returns the current plan of an account. */
export async function loadSubscription(dependencies: Dependencies, userId: UserId): Promise<Subscription> {
  const { clock, teams } = dependencies;
  const { account, access, reply } = await loadEntitlements(dependencies, userId);
  const now = clock.now().getTime();
  const standing = planStandingAt(account.timeline, now);
  const seats = access.source === 'own' || access.source === 'grant' ? access.personalPlan.seats : 0;
  const credit = standing && now < standing.period.until ? upgradeCreditAt(standing.period, now) : 0;
  const ends = account.timeline;
  return {
    plan: access.plan,
    source: access.source,
    ...whenOf(access.source, standing, () => activeGrants(ends, now).map(({ until }) => until)),
    nextPlan: standing && standing.state !== 'ended' ? standing.next?.plan : undefined,
    seats: access.plan === 'business' ? seats : 0,
    seatsTaken: seats > 0 && access.plan === 'business' ? 1 + (await teams.countSeats(userId)) : 0,
    addOns: addOnIds.flatMap((id) =>
      activeAddOnPeriods(account.timeline, id, now).map(({ until }) => ({ id, endsAt: new Date(until) })),
    ),
    entitlements: reply,
    operator: false,
    seatOffered: access.source !== 'seat' && (await findTeamOfMember(dependencies, userId))?.state === 'invited',
    creditMinor: credit,
    creditCurrency: credit > 0 && standing ? standing.period.currency : undefined,
  };
}

/** Returns the state and dates of a paid plan, or the end of a granted one. */
function whenOf(
  source: string,
  standing: PlanStanding | undefined,
  givenUntil: () => number[],
): Pick<Subscription, 'state' | 'periodEndsAt' | 'graceEndsAt'> {
  if (source === 'grant') {
    return { state: 'active', periodEndsAt: new Date(Math.max(...givenUntil())), graceEndsAt: undefined };
  }
  if (source === 'seat') return { state: 'active', periodEndsAt: undefined, graceEndsAt: undefined };
  if (!standing) return { state: 'none', periodEndsAt: undefined, graceEndsAt: undefined };
  const { state, period } = standing;
  return {
    state,
    periodEndsAt: new Date(period.until),
    graceEndsAt: state === 'grace' ? new Date(period.until + planGraceMs) : undefined,
  };
}

export function getSubscription(dependencies: Dependencies): Handler<'getSubscription'> {
  return async ({ actorId, timeZone = '' }) => {
    const userId = parseActorId(actorId);
    if (timeZone !== '' && timeZone.length <= 64 && IANAZone.isValidZone(timeZone)) {
      await dependencies.access.setTimeZone(userId, timeZone);
    }
    const [subscription, operator] = await Promise.all([
      loadSubscription(dependencies, userId),
      // The plan is shown without the operator flag while identity is unavailable.
      dependencies.people.isOperator(userId).catch(() => false),
    ]);
    return { ...subscription, operator };
  };
}

const notFound = () => createBillingError('not_found', 'subscription_not_found', 'You have no plan to change.');

/** Records a decision of the person about an active plan. */
async function decide(
  dependencies: Dependencies,
  actorId: string,
  factOf: (standing: PlanStanding, base: { id: string; userId: UserId; at: Date }) => BillingFact | undefined,
): Promise<Subscription> {
  const userId = parseActorId(actorId);
  await dependencies.recorder.record(userId, ({ timeline, facts }) => {
    const now = dependencies.clock.now();
    const standing = planStandingAt(timeline, now.getTime());
    if (!standing || standing.state === 'ended') throw notFound();
    const fact = factOf(standing, { id: newId(), userId, at: assignDecisionTime(facts, now) });
    return fact ? [fact] : [];
  });
  return await loadSubscription(dependencies, userId);
}

export function cancelSubscription(dependencies: Dependencies): Handler<'cancelSubscription'> {
  return ({ actorId }) =>
    decide(dependencies, actorId, (standing, base) =>
      standing.next?.plan === 'free' ? undefined : { ...base, kind: 'ending' },
    );
}

export function resumeSubscription(dependencies: Dependencies): Handler<'resumeSubscription'> {
  return ({ actorId }) =>
    decide(dependencies, actorId, (standing, base) => (standing.next ? { ...base, kind: 'resumed' } : undefined));
}

export function planDowngrade(dependencies: Dependencies): Handler<'planDowngrade'> {
  return (request) => {
    const plan = planIds.find((id) => id === request.plan);
    const { seats = 0 } = request;
    if (!plan || !Number.isInteger(seats) || seats < 0 || seats > seatLimits.max) throw invalid();
    return decide(dependencies, request.actorId, ({ period }, base) => {
      if (plan === 'free') return { ...base, kind: 'ending' };
      const chosen = plan === 'business' ? seats || period.seats : 1;
      const isLess = priceOf(plan, 'USD', chosen) < priceOf(period.item, 'USD', period.seats);
      if (!isLess || (plan === 'business' && period.item !== 'business')) throw invalid();
      return { ...base, kind: 'plan_chosen', plan, seats: chosen };
    });
  };
}

const invalid = () =>
  createBillingError('invalid', 'downgrade_invalid', 'You can only switch to a smaller plan at the end of a period.');

export function exportBilling({ exports }: Dependencies): Handler<'exportBilling'> {
  return async function* ({ actorId }, { signal }) {
    for await (const record of exports.all(parseActorId(actorId))) {
      signal.throwIfAborted();
      yield record;
      // A slow reader delays only this stream.
      await pause(0);
    }
  };
}
