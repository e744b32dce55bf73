import type { Clock } from '@nolo/kit/clock';
import type { Knex } from '@nolo/kit/db';
import { idFromName } from '@nolo/kit/ids';
import type { Jobs } from '@nolo/kit/jobs';
import type { Log } from '@nolo/kit/log';
import { GatewayError, type GatewayFact, type PaymentOrder, type PaymentStart } from '../domain/gateway.ts';
import { mustMatch, quote, type Wish } from '../domain/newOrder.ts';
import { factFrom, knownOrder, type ShownOrder, type StoredOrder } from '../domain/orders.ts';
import type { Gateways, OrderStore, Payments } from '../domain/ports.ts';
import { capturing } from '../domain/queues.ts';
import { itemName } from '../domain/receipt.ts';
import type { Tax } from '../domain/tax.ts';
import { failBilling, orderNotFound, paymentUnavailable } from '../errors.ts';
import type { Account } from './books.ts';
import type { Recorder } from './recorder.ts';

/** Time that an order waits for its payment before it expires. A later payment still pays for it. */
const openMs = 24 * 3_600_000;
/** Maximum number of unpaid orders per day. */
const mostOpen = 20;
/** Maximum time that a person waits for a gateway, in milliseconds. */
const askedMs = 20_000;

export interface PaymentDependencies {
  readonly gateways: Gateways;
  readonly orders: OrderStore;
  readonly recorder: Recorder;
  readonly jobs: Pick<Jobs, 'add'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly tax: Tax;
  readonly publicUrl: string;
}

const orderConflict = () =>
  failBilling('conflict', 'order_conflict', 'This order ID already belongs to a different order.');

const isSame = (order: StoredOrder, wish: Wish): boolean =>
  order.item === wish.item && order.seats === wish.seats && order.shownCurrency === wish.shownCurrency;

/** Inserts the order at our price; an existing one stays unchanged. */
async function insertOrder(
  { clock, tax }: PaymentDependencies,
  trx: Knex,
  { orders: known, timeline }: Account,
  wish: Wish,
): Promise<void> {
  const now = clock.now();
  const before = known.find(({ id }) => id === wish.id);
  if (before && !isSame(before, wish)) throw orderConflict();
  if (before) return;
  const since = now.getTime() - openMs;
  const open = known.filter(
    ({ createdAt, state }) => createdAt.getTime() > since && state !== 'paid' && state !== 'refunded',
  );
  if (open.length >= mostOpen) {
    throw failBilling('rate_limited', 'too_many_orders', 'You have too many unpaid orders.');
  }
  const { amount, credit } = quote(wish, timeline, now);
  mustMatch(wish.expected, { amount, credit }, wish.currency);
  const added = await trx('orders')
    .insert({
      id: wish.id,
      user_id: wish.userId,
      item: wish.item,
      seats: wish.seats,
      currency: wish.currency,
      amount,
      credit,
      shown_currency: wish.shownCurrency,
      tax_name: tax.name,
      tax_basis_points: tax.basisPoints,
      gateway: wish.gateway,
      email: wish.email,
      buyer_name: `${wish.firstName} ${wish.lastName}`.trim(),
      created_at: now,
      expires_at: new Date(now.getTime() + openMs),
    })
    .onConflict('id')
    .ignore()
    .returning('id');
  // The ID belongs to another person's order, which must not be revealed.
  if (added.length === 0) throw orderConflict();
}

function paymentOrder(order: ShownOrder, wish: Wish, publicUrl: string): PaymentOrder {
  const origin = wish.origin === '' ? publicUrl : wish.origin;
  return {
    id: order.id,
    userId: order.userId,
    item: order.item,
    seats: order.seats,
    description: itemName(order.item, order.seats, wish.language),
    amountMinor: order.money.amount,
    currency: order.money.currency,
    returnUrl: `${origin}/payment/success?order=${order.id}`,
    cancelUrl: `${origin}/payment/cancel?order=${order.id}`,
    notifyUrl: `${publicUrl}/api/${order.gateway}/notify`,
    firstName: wish.firstName,
    lastName: wish.lastName,
    email: wish.email,
  };
}

/** Starts the payment. @throws AppError payment_unavailable; if a retry is pointless, the order has failed */
async function beginPayment(
  { gateways, recorder, clock, log, publicUrl }: PaymentDependencies,
  order: ShownOrder,
  wish: Wish,
): Promise<PaymentStart> {
  const gateway = gateways[order.gateway];
  if (!gateway) throw paymentUnavailable();
  const { id: orderId, userId } = order;
  try {
    return await gateway.begin(paymentOrder(order, wish, publicUrl), AbortSignal.timeout(askedMs));
  } catch (error) {
    log.warn({ err: error, orderId, gateway: order.gateway }, 'starting a payment failed');
    if (error instanceof GatewayError && !error.retryable) {
      const failed = { id: idFromName(`begin-failed:${orderId}`), userId, orderId, at: clock.now() };
      await recorder.record(userId, () => [{ ...failed, kind: 'failed', reason: 'gateway_refused' }]);
    }
    throw paymentUnavailable(error);
  }
}

async function applyTold(
  { recorder, jobs }: PaymentDependencies,
  order: StoredOrder,
  told: readonly GatewayFact[],
): Promise<void> {
  await recorder.record(order.userId, async (_account, trx) => {
    if (told.some(({ kind }) => kind === 'approved')) {
      await jobs.add(trx, capturing, { orderId: order.id }, { id: idFromName(`capture:${order.id}`) });
    }
    return told.flatMap((one) => factFrom(one, order) ?? []);
  });
}

export function createPayments(dependencies: PaymentDependencies): Payments {
  const { gateways, orders, recorder, clock } = dependencies;

  const mustFind: Payments['mustFind'] = async (userId, id) => {
    const order = await orders.get(id);
    if (!order || order.userId !== userId) throw orderNotFound();
    return order;
  };
  const apply: Payments['apply'] = (order, told) => applyTold(dependencies, order, told);

  return {
    mustFind,
    apply,

    async create(wish) {
      if (!gateways[wish.gateway]) throw paymentUnavailable();
      await recorder.record(wish.userId, async (account, trx) => {
        await insertOrder(dependencies, trx, account, wish);
        return [];
      });
      const order = await mustFind(wish.userId, wish.id);
      if (order.checkout) return { order, start: order.checkout };
      const start = await beginPayment(dependencies, order, wish);
      await orders.setCheckout(order.id, start);
      const { id: orderId, userId } = order;
      const fact = { id: idFromName(`redirected:${orderId}`), kind: 'redirected' as const, userId, orderId };
      await recorder.record(userId, () => [{ ...fact, at: clock.now() }]);
      return { order: await mustFind(wish.userId, wish.id), start };
    },

    async cancel(userId, orderId) {
      const order = await mustFind(userId, orderId);
      if (order.state === 'created' || order.state === 'redirected') {
        const id = idFromName(`cancelled:${orderId}`);
        await recorder.record(userId, () => [{ id, kind: 'cancelled', userId, orderId, at: clock.now() }]);
      }
      return await mustFind(userId, orderId);
    },

    async ask(order) {
      const gateway = gateways[order.gateway];
      if (!gateway || order.checkout === null) return;
      const known = knownOrder(order);
      const told = await gateway.lookUp(known, AbortSignal.timeout(askedMs));
      const isApproved = told.some(({ kind }) => kind === 'approved') && !told.some(({ kind }) => kind === 'paid');
      await apply(order, isApproved ? await gateway.capture(known, AbortSignal.timeout(askedMs)) : told);
    },

    async askRefunds(order) {
      const told = await gateways[order.gateway]?.refundsOf(knownOrder(order), AbortSignal.timeout(askedMs));
      await apply(order, told ?? []);
    },

    async capture(order, signal) {
      const gateway = gateways[order.gateway];
      if (!gateway) throw new Error(`The gateway ${order.gateway} is not configured.`);
      await apply(order, await gateway.capture(knownOrder(order), signal));
    },
  };
}
