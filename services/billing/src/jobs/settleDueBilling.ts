import type { Clock } from '@nolo/kit/clock';
import { idFromName } from '@nolo/kit/ids';
import type { PeriodicTask } from '@nolo/kit/repeat';
import type { FactStore, MeterStore, OrderStore, SubscriptionStore } from '../domain/ports.ts';

const batch = 100;

interface Dependencies {
  readonly subscriptions: SubscriptionStore;
  readonly orders: OrderStore;
  readonly meters: MeterStore;
  readonly recorder: FactStore;
  readonly clock: Clock;
}

/**
 * Processes everything that becomes due by time: reminders, grace periods and ends, unpaid orders, and abandoned
 * reservations.
 */
export function createSettleDueBillingTask({
  subscriptions,
  orders,
  meters,
  recorder,
  clock,
}: Dependencies): PeriodicTask {
  return {
    name: 'accounts',
    everyMs: 60_000,
    async run() {
      const now = clock.now();
      const settled = await subscriptions.settleDue(now, batch);
      const overdue = await orders.overdue(now, batch);
      for (const { id: orderId, userId, expiresAt: at } of overdue) {
        const id = idFromName(`expired:${orderId}`);
        await recorder.record(userId, () => [{ id, kind: 'expired', userId, orderId, at }]);
      }
      const released = await meters.releaseExpired(now, batch);
      const isMore = settled === batch || overdue.length === batch || released === batch;
      return isMore ? now : await subscriptions.nextDue();
    },
  };
}
