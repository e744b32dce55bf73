import type { Clock } from '@nolo/kit/clock';
import { ParkJobError, type Job } from '@nolo/kit/jobs';
import type { Log } from '@nolo/kit/log';
import { GatewayError, type GatewayFact } from '../domain/gateway.ts';
import { coversOrder, type OrderView } from '../domain/orders.ts';
import type {
  PaymentGateways,
  GatewayNotificationStore,
  OrderStore,
  Payments,
  StoredGatewayNotification,
  GatewayNotificationResult,
} from '../domain/ports.ts';
import { createBillingRetryError } from '../errors.ts';
import type { BillingMetrics } from '../metrics.ts';

export interface GatewayNotificationDependencies {
  readonly gateways: PaymentGateways;
  readonly notifications: GatewayNotificationStore<Parameters<Job<unknown>['finish']>[0]>;
  readonly orders: OrderStore;
  readonly payments: Payments;
  readonly metrics: BillingMetrics;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Time to wait for an unknown order, which may become known after its notification. After three days the search ends.
 */
const waitedMs = 3 * 86_400_000;

/**
 * Processes one notification. Its facts are stored by the gateway's IDs, so that repeated, late or reordered
 * notifications change nothing. Anything that cannot be determined now is retried.
 */
export function processGatewayNotification(dependencies: GatewayNotificationDependencies) {
  const { notifications, metrics, clock, log } = dependencies;
  return async (job: Job<{ notificationId: string }>): Promise<void> => {
    const row = await notifications.begin(job.payload.notificationId);
    if (!row) return;
    const worked = await work(dependencies, row, job.signal);
    const ageMs = clock.now().getTime() - row.receivedAt.getTime();
    if (worked.state === 'failed' || (worked.state === 'waiting' && ageMs < waitedMs)) {
      await notifications.settle(row.id, worked);
      throw createBillingRetryError(worked.reason, Math.min(500 * 2 ** Math.min(job.attempt, 13), 3_600_000));
    }
    if (worked.state !== 'done') {
      const { id, gateway, raw } = row;
      log.warn(
        { notificationId: id, gateway, source: raw.sourceAddress, reason: worked.reason },
        'payment notification refused',
      );
    }
    await notifications.settle(row.id, worked, worked.state === 'waiting' ? undefined : (trx) => job.finish(trx));
    metrics.notifications.inc({ gateway: row.gateway, outcome: worked.state, reason: worked.reason });
    metrics.notificationSeconds.observe({ gateway: row.gateway }, Math.max(0, ageMs) / 1_000);
    // Parked jobs are visible to operators, who can retry them.
    if (worked.state === 'waiting') throw new ParkJobError('order_unknown');
  };
}

async function work(
  dependencies: GatewayNotificationDependencies,
  row: StoredGatewayNotification,
  signal: AbortSignal,
): Promise<GatewayNotificationResult> {
  const gateway = dependencies.gateways[row.gateway];
  if (!gateway) return { state: 'failed', reason: 'gateway_not_configured' };
  try {
    const read = await gateway.read(row.raw, signal);
    if (!read.genuine) return { state: 'refused', reason: read.reason };
    return { ...(await applyAll(dependencies, row, read.facts)), eventId: read.eventId };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { state: error.retryable ? 'failed' : 'refused', reason: error.issue };
  }
}

async function applyAll(
  { orders, payments }: GatewayNotificationDependencies,
  { gateway }: StoredGatewayNotification,
  facts: readonly GatewayFact[],
): Promise<GatewayNotificationResult> {
  const found = new Map<string, { order: OrderView; facts: GatewayFact[] }>();
  let missing = false;
  for (const fact of facts) {
    const named = fact.orderId === null ? undefined : await orders.get(fact.orderId);
    const id = named?.id ?? (await orders.findByGateway(gateway, fact.gatewayOrderId, fact.gatewayPaymentId));
    const order = named ?? (id === undefined ? undefined : await orders.get(id));
    if (!order) missing = true;
    else if (order.gateway !== gateway) return { state: 'refused', reason: 'other_gateway', orderId: order.id };
    else found.set(order.id, { order, facts: [...(found.get(order.id)?.facts ?? []), fact] });
  }
  const mismatched = [...found.values()].find(({ order, facts: gatewayFacts }) =>
    gatewayFacts.some((fact) => !coversOrder(order, fact)),
  );
  for (const { order, facts: gatewayFacts } of found.values()) await payments.apply(order, gatewayFacts);
  const orderId = [...found.keys()][0];
  if (missing) return { state: 'waiting', reason: 'order_unknown', orderId };
  // The ledger books the money as the customer's; it pays for nothing.
  if (mismatched) return { state: 'refused', reason: 'amount_mismatch', orderId: mismatched.order.id };
  return { state: 'done', reason: '', orderId };
}
