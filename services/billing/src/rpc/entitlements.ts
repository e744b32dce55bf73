import { parseActorId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { Entitlements, EntitlementsServiceDefinition } from '@nolo/proto/entitlements';
import { createLimitDetails } from '@nolo/rules';
import { computePlanAccess, listFeatureLimits, type PlanAccess } from '../domain/access.ts';
import {
  reservationExpiry,
  isMonthly,
  monthEndIn,
  monthIn,
  monthsInAnyTimeZone,
  type MonthlyFeature,
} from '../domain/meters.ts';
import type { PlanAccount } from '../domain/ports.ts';
import { createBillingError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { parseUuid } from './parse.ts';

type Handler<Name extends keyof (typeof EntitlementsServiceDefinition)['methods']> = RpcHandler<
  (typeof EntitlementsServiceDefinition)['methods'][Name]
>;

type Known = Pick<Dependencies, 'access' | 'meters' | 'clock'>;

/** Returns a person's current permissions and usage. */
export async function loadEntitlements(
  { access, clock }: Pick<Known, 'access' | 'clock'>,
  userId: UserId,
): Promise<{ account: PlanAccount; access: PlanAccess; reply: Entitlements }> {
  const now = clock.now();
  // The account's own time zone selects one of these months.
  const { account, counted, kept } = await access.readUsing(userId, monthsInAnyTimeZone(now));
  const may = computePlanAccess(account.timeline, account.seat, now);
  const month = monthIn(account.timeZone, now);
  const used = [...counted.filter(({ period }) => period === month), ...kept];
  const reply = {
    plan: may.plan,
    limits: listFeatureLimits(may.allowance, new Map(used.map(({ feature, amount }) => [feature, amount]))),
    validUntil: may.validUntil,
    month,
    monthEndsAt: monthEndIn(account.timeZone, now),
    teamOwnerId: may.teamOwnerId,
  };
  return { account, access: may, reply };
}

export function getEntitlements(dependencies: Dependencies): Handler<'getEntitlements'> {
  return async ({ userId }) => (await loadEntitlements(dependencies, parseActorId(userId))).reply;
}

function monthly(feature: string): MonthlyFeature {
  if (isMonthly(feature)) return feature;
  throw createBillingError('invalid', 'invalid_request', 'feature must be scheduledPosts or transcriptionSeconds.');
}

/** Validates an amount in seconds, bytes or pieces, limited far below the safe range of a number. */
function amountFrom(amount: number, least: number): number {
  if (Number.isSafeInteger(amount) && amount >= least && amount <= 2 ** 50) return amount;
  throw createBillingError('invalid', 'invalid_request', `amount must be a whole number of at least ${least}.`);
}

/** Returns the account's limit of a feature. Undefined if unlimited. */
async function limitOf({ access, clock }: Pick<Known, 'access' | 'clock'>, userId: UserId, feature: MonthlyFeature) {
  const account = await access.read(userId);
  const { allowance } = computePlanAccess(account.timeline, account.seat, clock.now());
  return { account, limit: allowance[feature] ?? undefined };
}

export function reserveUsage(dependencies: Dependencies): Handler<'reserveUsage'> {
  const { meters, clock, metrics } = dependencies;
  return async (request) => {
    const userId = parseActorId(request.userId);
    const feature = monthly(request.feature);
    const amount = amountFrom(request.amount, 1);
    const id = parseUuid('reservation_id', request.reservationId);
    const now = clock.now();
    const { account, limit } = await limitOf(dependencies, userId, feature);
    const period = monthIn(account.timeZone, request.at ?? now);
    const one = { id, feature, userId, period, amount };
    const usage = await meters.reserve(one, limit ?? Infinity, { now, expiresAt: reservationExpiry(feature, now) });
    const used = usage.used + usage.reserved;
    if (usage.fits || limit === undefined) return { used, limit };
    metrics.refusals.inc({ feature });
    const details = createLimitDetails(feature, limit, used);
    throw createBillingError('plan_limited', 'usage_exceeded', 'Your plan does not include that.', details);
  };
}

export function commitUsage(dependencies: Dependencies): Handler<'commitUsage'> {
  return async (request) => {
    const userId = parseActorId(request.userId);
    const feature = monthly(request.feature);
    const id = parseUuid('reservation_id', request.reservationId);
    const usage = await dependencies.meters.commit(userId, feature, id, amountFrom(request.amount, 0));
    if (!usage) throw createBillingError('not_found', 'reservation_not_found', 'This reservation does not exist.');
    const { limit } = await limitOf(dependencies, userId, feature);
    return { used: usage.used + usage.reserved, limit };
  };
}

export function releaseUsage(dependencies: Dependencies): Handler<'releaseUsage'> {
  return async (request) => {
    const userId = parseActorId(request.userId);
    const feature = monthly(request.feature);
    const id = parseUuid('reservation_id', request.reservationId);
    const usage = await dependencies.meters.release(userId, feature, id, { committed: request.committed });
    const { limit } = await limitOf(dependencies, userId, feature);
    return { used: usage ? usage.used + usage.reserved : 0, limit };
  };
}

export function reportLevel(dependencies: Dependencies): Handler<'reportLevel'> {
  const { meters, access, clock } = dependencies;
  return async (request) => {
    const userId = parseActorId(request.userId);
    if (request.feature !== 'storageBytes') {
      throw createBillingError('invalid', 'invalid_request', 'feature must be storageBytes.');
    }
    const amount = amountFrom(request.amount, 0);
    await meters.report(userId, request.feature, amount, request.at ?? clock.now());
    const { timeline, seat } = await access.read(userId);
    const { allowance } = computePlanAccess(timeline, seat, clock.now());
    return { used: amount, limit: allowance.storageBytes ?? undefined };
  };
}
