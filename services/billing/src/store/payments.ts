import type { Clock } from '@nolo/kit/clock';
import type { Knex } from '@nolo/kit/db';
import { idFromName } from '@nolo/kit/ids';
import type { JobScheduler } from '@nolo/kit/jobs';
import type { Log } from '@nolo/kit/log';
import { GatewayError, type GatewayFact, type PaymentOrder, type PaymentStart } from '../domain/gateway.ts';
import { checkExpectedAmount, quoteOrder, type OrderRequest } from '../domain/newOrder.ts';
import { convertGatewayFact, toGatewayOrder, type OrderView, type StoredOrder } from '../domain/orders.ts';
import type { PaymentGateways, OrderStore, Payments } from '../domain/ports.ts';
import { captureQueue } from '../domain/queues.ts';
import { itemName } from '../domain/receipt.ts';
import type { TaxRate } from '../domain/tax.ts';
import { createBillingError, orderNotFound, paymentUnavailable } from '../errors.ts';
import type { BillingAccount } from './books.ts';
import type { FactRecorder } from './recorder.ts';

/** Time that an order waits for its payment before it expires. A later payment still pays for it. */
const openMs = 24 * 3_600_000;
/** Maximum number of unpaid orders per day. */
const maxUnpaidOrdersPerDay = 20;
/** Maximum time that a person waits for a gateway, in milliseconds. */
const gatewayTimeoutMs = 20_000;

export interface PaymentDependencies {
  readonly gateways: PaymentGateways;
  readonly orders: OrderStore;
  readonly recorder: FactRecorder;
  readonly jobs: Pick<JobScheduler, 'add'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly tax: TaxRate;
  readonly publicUrl: string;
}

const orderConflict = () =>
  createBillingError('conflict', 'order_conflict', 'This order ID already belongs to a different order.');

const isSame = (order: StoredOrder, orderRequest: OrderRequest): boolean =>
  order.item === orderRequest.item &&
  order.seats === orderRequest.seats &&
  order.shownCurrency === orderRequest.shownCurrency;

/** Inserts the order at our price; an existing one stays unchanged. */
async function insertOrder(
  { clock, tax }: PaymentDependencies,
  trx: Knex,
  { orders: known, timeline }: BillingAccount,
  orderRequest: OrderRequest,
): Promise<void> {
  const now = clock.now();
  const before = known.find(({ id }) => id === orderRequest.id);
  if (before && !isSame(before, orderRequest)) throw orderConflict();
  if (before) return;
  const since = now.getTime() - openMs;
  const open = known.filter(
    ({ createdAt, state }) => createdAt.getTime() > since && state !== 'paid' && state !== 'refunded',
  );
  if (open.length >= maxUnpaidOrdersPerDay) {
    throw createBillingError('rate_limited', 'too_many_orders', 'You have too many unpaid orders.');
  }
  const { amount, credit } = quoteOrder(orderRequest, timeline, now);
  checkExpectedAmount(orderRequest.expected, { amount, credit }, orderRequest.currency);
  const added = await trx('orders')
    .insert({
      id: orderRequest.id,
      user_id: orderRequest.userId,
      item: orderRequest.item,
      seats: orderRequest.seats,
      currency: orderRequest.currency,
      amount,
      credit,
      shown_currency: orderRequest.shownCurrency,
      tax_name: tax.name,
      tax_basis_points: tax.basisPoints,
      gateway: orderRequest.gateway,
      email: orderRequest.email,
      buyer_name: `${orderRequest.firstName} ${orderRequest.lastName}`.trim(),
      created_at: now,
      expires_at: new Date(now.getTime() + openMs),
    })
    .onConflict('id')
    .ignore()
    .returning('id');
  // The ID belongs to another person's order, which must not be revealed.
  if (added.length === 0) throw orderConflict();
}

function paymentOrder(order: OrderView, orderRequest: OrderRequest, publicUrl: string): PaymentOrder {
  const origin = orderRequest.origin === '' ? publicUrl : orderRequest.origin;
  return {
    id: order.id,
    userId: order.userId,
    item: order.item,
    seats: order.seats,
    description: itemName(order.item, order.seats, orderRequest.language),
    amountMinor: order.money.amount,
    currency: order.money.currency,
    returnUrl: `${origin}/payment/success?order=${order.id}`,
    cancelUrl: `${origin}/payment/cancel?order=${order.id}`,
    notifyUrl: `${publicUrl}/api/${order.gateway}/notify`,
    firstName: orderRequest.firstName,
    lastName: orderRequest.lastName,
    email: orderRequest.email,
  };
}

/** Starts the payment. @throws AppError payment_unavailable; if a retry is pointless, the order has failed */
async function beginPayment(
  { gateways, recorder, clock, log, publicUrl }: PaymentDependencies,
  order: OrderView,
  orderRequest: OrderRequest,
): Promise<PaymentStart> {
  const gateway = gateways[order.gateway];
  if (!gateway) throw paymentUnavailable();
  const { id: orderId, userId } = order;
  try {
    return await gateway.begin(paymentOrder(order, orderRequest, publicUrl), AbortSignal.timeout(gatewayTimeoutMs));
  } catch (error) {
    log.warn({ err: error, orderId, gateway: order.gateway }, 'starting a payment failed');
    if (error instanceof GatewayError && !error.retryable) {
      const failed = { id: idFromName(`begin-failed:${orderId}`), userId, orderId, at: clock.now() };
      await recorder.record(userId, () => [{ ...failed, kind: 'failed', reason: 'gateway_refused' }]);
    }
    throw paymentUnavailable(error);
  }
}

async function applyGatewayFacts(
  { recorder, jobs }: PaymentDependencies,
  order: StoredOrder,
  gatewayFacts: readonly GatewayFact[],
): Promise<void> {
  await recorder.record(order.userId, async (_account, trx) => {
    if (gatewayFacts.some(({ kind }) => kind === 'approved')) {
      await jobs.add(trx, captureQueue, { orderId: order.id }, { id: idFromName(`capture:${order.id}`) });
    }
    return gatewayFacts.flatMap((one) => convertGatewayFact(one, order) ?? []);
  });
}

export function createPayments(dependencies: PaymentDependencies): Payments {
  const { gateways, orders, recorder, clock } = dependencies;

  const mustFind: Payments['mustFind'] = async (userId, id) => {
    const order = await orders.get(id);
    if (!order || order.userId !== userId) throw orderNotFound();
    return order;
  };
  const apply: Payments['apply'] = (order, gatewayFacts) => applyGatewayFacts(dependencies, order, gatewayFacts);

  return {
    mustFind,
    apply,

    async create(orderRequest) {
      if (!gateways[orderRequest.gateway]) throw paymentUnavailable();
      await recorder.record(orderRequest.userId, async (account, trx) => {
        await insertOrder(dependencies, trx, account, orderRequest);
        return [];
      });
      const order = await mustFind(orderRequest.userId, orderRequest.id);
      if (order.checkout) return { order, start: order.checkout };
      const start = await beginPayment(dependencies, order, orderRequest);
      await orders.setCheckout(order.id, start);
      const { id: orderId, userId } = order;
      const fact = { id: idFromName(`redirected:${orderId}`), kind: 'redirected' as const, userId, orderId };
      await recorder.record(userId, () => [{ ...fact, at: clock.now() }]);
      return { order: await mustFind(orderRequest.userId, orderRequest.id), start };
    },

    async cancel(userId, orderId) {
      const order = await mustFind(userId, orderId);
      if (order.state === 'created' || order.state === 'redirected') {
        const id = idFromName(`cancelled:${orderId}`);
        await recorder.record(userId, () => [{ id, kind: 'cancelled', userId, orderId, at: clock.now() }]);
      }
      return await mustFind(userId, orderId);
    },

    async syncWithGateway(order) {
      const gateway = gateways[order.gateway];
      if (!gateway || order.checkout === null) return;
      const known = toGatewayOrder(order);
      const gatewayFacts = await gateway.lookUp(known, AbortSignal.timeout(gatewayTimeoutMs));
      const isApproved =
        gatewayFacts.some(({ kind }) => kind === 'approved') && !gatewayFacts.some(({ kind }) => kind === 'paid');
      await apply(
        order,
        isApproved ? await gateway.capture(known, AbortSignal.timeout(gatewayTimeoutMs)) : gatewayFacts,
      );
    },

    async syncRefunds(order) {
      const gatewayFacts = await gateways[order.gateway]?.refundsOf(
        toGatewayOrder(order),
        AbortSignal.timeout(gatewayTimeoutMs),
      );
      await apply(order, gatewayFacts ?? []);
    },

    async capture(order, signal) {
      const gateway = gateways[order.gateway];
      if (!gateway) throw new Error(`The gateway ${order.gateway} is not configured.`);
      await apply(order, await gateway.capture(toGatewayOrder(order), signal));
    },
  };
}
