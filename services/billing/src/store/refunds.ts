import type { Clock } from '@nolo/kit/clock';
import type { Knex } from '@nolo/kit/db';
import type { Log } from '@nolo/kit/log';
import { GatewayError } from '../domain/gateway.ts';
import { toGatewayOrder, type OrderView } from '../domain/orders.ts';
import type { PaymentGateways, OrderStore, Payments, Refunds } from '../domain/ports.ts';
import { createBillingError, orderNotFound, paymentUnavailable } from '../errors.ts';

const gatewayTimeoutMs = 20_000;
/** Time during which an earlier attempt may still be in progress. */
const underWayMs = 60_000;

interface Dependencies {
  readonly db: Knex;
  readonly gateways: PaymentGateways;
  readonly orders: OrderStore;
  readonly payments: Payments;
  readonly clock: Clock;
  readonly log: Log;
}

interface RequestRow {
  id: string;
  order_id: string;
  amount: number;
  refunded_before: number;
  asked_at: Date;
  is_done: boolean;
}

const invalid = (left: number) =>
  createBillingError('conflict', 'refund_invalid', 'This amount cannot be refunded for this order.', {
    leftMinor: left,
  });

const leftOf = ({ paymentId, money, refunded }: OrderView): number =>
  paymentId === null ? 0 : money.amount - refunded;

/** Records a refund request. Returns undefined if it exists already. */
async function claim(
  { db, clock }: Dependencies,
  order: OrderView,
  id: string,
  amount: number,
): Promise<RequestRow | undefined> {
  const left = leftOf(order);
  const before = await db<RequestRow>('refund_requests').where({ id }).first();
  if (before) return undefined;
  const wanted = amount === 0 ? left : amount;
  if (left <= 0 || !Number.isInteger(wanted) || wanted < 1 || wanted > left) throw invalid(left);
  const row = { id, order_id: order.id, amount: wanted, refunded_before: order.refunded, asked_at: clock.now() };
  const [added] = (await db('refund_requests').insert(row).onConflict('id').ignore().returning('*')) as RequestRow[];
  return added;
}

/**
 * Resumes an earlier request. Returns undefined if it is done, or found to be done; otherwise claims it for another
 * attempt.
 *
 * @throws AppError payment_unavailable while an earlier attempt may be in progress
 */
async function resume(
  { db, orders, payments, clock }: Dependencies,
  order: OrderView,
  id: string,
): Promise<RequestRow | undefined> {
  const row = await db<RequestRow>('refund_requests').where({ id }).first();
  if (!row || row.order_id !== order.id) throw invalid(leftOf(order));
  if (row.is_done) return undefined;
  const now = clock.now();
  const taken = await db('refund_requests')
    .where({ id })
    .where('asked_at', '<=', new Date(now.getTime() - underWayMs))
    .update({ asked_at: now });
  if (taken === 0) throw paymentUnavailable();
  await payments.syncWithGateway(order);
  const found = (await orders.get(order.id)) ?? order;
  if (found.refunded < row.refunded_before + row.amount) return row;
  await db('refund_requests').where({ id }).update({ is_done: true });
  return undefined;
}

/** Refunds money at the gateway, once per ID: an attempt with an unknown outcome is looked up before a retry. */
export function createRefunds(dependencies: Dependencies): Refunds {
  const { db, gateways, orders, payments, log } = dependencies;
  return {
    async refund(orderId, refundId, amount, reason) {
      const order = await orders.get(orderId);
      if (!order) throw orderNotFound();
      const gateway = gateways[order.gateway];
      if (!gateway) throw paymentUnavailable();
      try {
        const request =
          (await claim(dependencies, order, refundId, amount)) ?? (await resume(dependencies, order, refundId));
        if (!request) return (await orders.get(orderId)) ?? order;
        const refundRequest = { order: toGatewayOrder(order), refundId, amountMinor: request.amount, reason };
        await payments.apply(order, await gateway.refund(refundRequest, AbortSignal.timeout(gatewayTimeoutMs)));
        await db('refund_requests').where({ id: refundId }).update({ is_done: true });
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        log.warn({ err: error, orderId, gateway: order.gateway }, 'refund failed, or its outcome is unknown');
        if (error.retryable || error.mayBeDone) throw paymentUnavailable(error);
        await db('refund_requests').where({ id: refundId, is_done: false }).delete();
        throw invalid(leftOf(order));
      }
      return (await orders.get(orderId)) ?? order;
    },
  };
}
