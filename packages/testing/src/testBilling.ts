import { createAppError } from '@nolo/kit/errors';
import { createLog } from '@nolo/kit/log';
import { bindRpcService, serveRpc } from '@nolo/kit/rpc';
import { EntitlementsServiceDefinition, type FeatureLimit } from '@nolo/proto/entitlements';
import { allowanceOf, createLimitDetails, type AddOnId, type LimitedFeature, type PlanId } from '@nolo/rules';
import type { TestEnvironment } from './testEnvironment.ts';
import { startTestEvents } from './testEvents.ts';

interface Sold {
  readonly plan: PlanId;
  readonly addOns: Readonly<Partial<Record<AddOnId, number>>>;
}

interface Counted {
  readonly userId: string;
  readonly feature: string;
  readonly month: string;
  amount: number;
  state: 'reserved' | 'committed' | 'released';
}

const monthOf = (at: Date) => at.toISOString().slice(0, 7);

/** Simulates billing for services that query what plans allow, and meters their usage. Months are in UTC. */
export async function startTestBilling(
  environment: Pick<TestEnvironment<string>, 'natsUrl' | 'natsPrefix'>,
  secret: string,
  now: () => Date = () => new Date(),
) {
  const events = await startTestEvents(environment, secret);
  const sold = new Map<string, Sold>();
  const seats = new Map<string, string>();
  const counted = new Map<string, Counted>();
  const levels = new Map<string, number>();
  const state = { away: false, entitlementCalls: 0 };
  const limitsOf = (userId: string) => {
    const { plan, addOns } = sold.get(seats.get(userId) ?? userId) ?? { plan: 'free' as const, addOns: {} };
    return { plan, allowance: allowanceOf(plan, addOns) };
  };
  const mustBeThere = () => {
    if (state.away) throw createAppError('unavailable', 'service_unavailable', 'The service is unavailable.');
  };
  const usedOf = (userId: string, feature: string, month: string) =>
    [...counted.values()]
      .filter((one) => one.userId === userId && one.feature === feature && one.month === month)
      .filter((one) => one.state !== 'released')
      .reduce((sum, { amount }) => sum + amount, 0);
  const find = (feature: string, id: string) => {
    const found = counted.get(`${feature} ${id}`);
    if (!found) throw createAppError('not_found', 'reservation_not_found', 'Reservation not found.');
    return found;
  };
  const reply = (userId: string, feature: string, month: string) => ({
    used: usedOf(userId, feature, month),
    limit: limitsOf(userId).allowance[feature as LimitedFeature] ?? undefined,
  });

  const service = bindRpcService(EntitlementsServiceDefinition, {
    async getEntitlements({ userId }) {
      mustBeThere();
      state.entitlementCalls += 1;
      const { plan, allowance } = limitsOf(userId);
      const limits: FeatureLimit[] = Object.entries(allowance).map(([feature, limit]) => ({
        feature,
        ...(limit === null ? {} : { limit }),
      }));
      const month = monthOf(now());
      const [year = 0, number = 0] = month.split('-').map(Number);
      const monthEndsAt = new Date(Date.UTC(year, number, 1));
      return { plan, limits, validUntil: undefined, month, monthEndsAt, teamOwnerId: seats.get(userId) };
    },
    async reserveUsage({ userId, feature, amount, reservationId, at }) {
      mustBeThere();
      const month = monthOf(at ?? now());
      const before = counted.get(`${feature} ${reservationId}`);
      if (!before || before.state === 'released') {
        const limit = limitsOf(userId).allowance[feature as LimitedFeature];
        const used = usedOf(userId, feature, month);
        if (limit !== null && used + amount > limit) {
          const details = { ...createLimitDetails(feature as LimitedFeature, limit, used) };
          throw createAppError('plan_limited', 'usage_exceeded', 'The plan does not include that.', details);
        }
        counted.set(`${feature} ${reservationId}`, { userId, feature, month, amount, state: 'reserved' });
      }
      return reply(userId, feature, month);
    },
    async commitUsage({ userId, feature, reservationId, amount }) {
      mustBeThere();
      const found = find(feature, reservationId);
      if (found.state !== 'committed') Object.assign(found, { amount, state: 'committed' });
      return reply(userId, feature, found.month);
    },
    async releaseUsage({ userId, feature, reservationId, committed }) {
      mustBeThere();
      const found = find(feature, reservationId);
      if (found.state === 'reserved' || committed) found.state = 'released';
      return reply(userId, feature, found.month);
    },
    async reportLevel({ userId, feature, amount }) {
      mustBeThere();
      levels.set(`${feature} ${userId}`, amount);
      return { used: amount };
    },
  });
  const log = createLog({ service: 'test', level: 'silent' });
  const services = [service, events.service];
  const server = await serveRpc({ listen: { host: '127.0.0.1', port: 0 }, secret, log, services });

  return {
    address: `127.0.0.1:${server.port}`,
    /** Makes calls fail as during an outage. */
    setAway: (away: boolean) => void (state.away = away),
    /** Number of entitlement queries. */
    entitlementCalls: () => state.entitlementCalls,
    /** Changes a user's plan and notifies services that cache entitlements. */
    async sell(userId: string, plan: PlanId, addOns: Sold['addOns'] = {}) {
      sold.set(userId, { plan, addOns });
      await events.publishEvent('event.billing.entitlements_changed', { userId }, undefined, userId);
    },
    /** Assigns a user a seat of another account's plan. */
    async seat(userId: string, ownerId: string) {
      seats.set(userId, ownerId);
      await events.publishEvent('event.billing.entitlements_changed', { userId }, undefined, userId);
    },
    /** Writes to its event log. */
    publishEvent: events.publishEvent,
    used: (userId: string, feature: LimitedFeature, month = monthOf(now())) => usedOf(userId, feature, month),
    level: (userId: string, feature: LimitedFeature) => levels.get(`${feature} ${userId}`),
    async stop() {
      await server.stop();
      await events.stop();
    },
  };
}

export type TestBilling = Awaited<ReturnType<typeof startTestBilling>>;
