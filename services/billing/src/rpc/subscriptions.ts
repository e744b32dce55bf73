import { setTimeout as pause } from 'node:timers/promises';
import { actorFrom, newId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { BillingServiceService, Subscription } from '@nolo/proto/billing';
import { addOnIds, planIds, priceOf, seatLimits } from '@nolo/rules';
import { IANAZone } from 'luxon';
import { decidedAt, type Fact } from '../domain/facts.ts';
import { creditAt, graceMs } from '../domain/periods.ts';
import { runsAt, standingAt, givenAt, type Standing } from '../domain/timeline.ts';
import { failBilling } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { entitlementsOf } from './entitlements.ts';
import { teamFor } from './team.ts';

type Handler<Name extends keyof typeof BillingServiceService> = RpcHandler<(typeof BillingServiceService)[Name]>;

/** Returns the current plan of an account. */
export async function subscriptionOf(dependencies: Dependencies, userId: UserId): Promise<Subscription> {
  const { clock, teams } = dependencies;
  const { account, access, reply } = await entitlementsOf(dependencies, userId);
  const now = clock.now().getTime();
  const standing = standingAt(account.timeline, now);
  const seats = access.source === 'own' || access.source === 'grant' ? access.held.seats : 0;
  const credit = standing && now < standing.period.until ? creditAt(standing.period, now) : 0;
  const ends = account.timeline;
  return {
    plan: access.plan,
    source: access.source,
    ...whenOf(access.source, standing, () => givenAt(ends, now).map(({ until }) => until)),
    nextPlan: standing && standing.state !== 'ended' ? standing.next?.plan : undefined,
    seats: access.plan === 'business' ? seats : 0,
    seatsTaken: seats > 0 && access.plan === 'business' ? 1 + (await teams.countSeats(userId)) : 0,
    addOns: addOnIds.flatMap((id) =>
      runsAt(account.timeline, id, now).map(({ until }) => ({ id, endsAt: new Date(until) })),
    ),
    entitlements: reply,
    operator: false,
    seatOffered: access.source !== 'seat' && (await teamFor(dependencies, userId))?.state === 'invited',
    creditMinor: credit,
    creditCurrency: credit > 0 && standing ? standing.period.currency : undefined,
  };
}

/** Returns the state and dates of a paid plan, or the end of a granted one. */
function whenOf(
  source: string,
  standing: Standing | undefined,
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
    graceEndsAt: state === 'grace' ? new Date(period.until + graceMs) : undefined,
  };
}

export function getSubscription(dependencies: Dependencies): Handler<'getSubscription'> {
  return async ({ actorId, timeZone = '' }) => {
    const userId = actorFrom(actorId);
    if (timeZone !== '' && timeZone.length <= 64 && IANAZone.isValidZone(timeZone)) {
      await dependencies.access.setTimeZone(userId, timeZone);
    }
    const [subscription, operator] = await Promise.all([
      subscriptionOf(dependencies, userId),
      // The plan is shown without the operator flag while identity is unavailable.
      dependencies.people.isOperator(userId).catch(() => false),
    ]);
    return { ...subscription, operator };
  };
}

const notFound = () => failBilling('not_found', 'subscription_not_found', 'You have no plan to change.');

/** Records a decision of the person about an active plan. */
async function decide(
  dependencies: Dependencies,
  actorId: string,
  factOf: (standing: Standing, base: { id: string; userId: UserId; at: Date }) => Fact | undefined,
): Promise<Subscription> {
  const userId = actorFrom(actorId);
  await dependencies.recorder.record(userId, ({ timeline, facts }) => {
    const now = dependencies.clock.now();
    const standing = standingAt(timeline, now.getTime());
    if (!standing || standing.state === 'ended') throw notFound();
    const fact = factOf(standing, { id: newId(), userId, at: decidedAt(facts, now) });
    return fact ? [fact] : [];
  });
  return await subscriptionOf(dependencies, userId);
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
  failBilling('invalid', 'downgrade_invalid', 'You can only switch to a smaller plan at the end of a period.');

export function exportBilling({ exports }: Dependencies): Handler<'exportBilling'> {
  return async function* ({ actorId }, { signal }) {
    for await (const record of exports.all(actorFrom(actorId))) {
      signal.throwIfAborted();
      yield record;
      // A slow reader delays only this stream.
      await pause(0);
    }
  };
}
