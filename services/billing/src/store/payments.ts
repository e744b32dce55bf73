import type { Clock } from '@nolo/kit/clock';
import { idFromName, type UserId } from '@nolo/kit/ids';
import type { Jobs } from '@nolo/kit/jobs';
import type { Log } from '@nolo/kit/log';
import type { Fact } from '../domain/facts.ts';
import { GatewayError, type GatewayFact, type KnownOrder, type PaymentStart } from '../domain/gateway.ts';
import { mustMatch, quote, type Wish } from '../domain/newOrder.ts';
import type { Gateways } from '../domain/ports.ts';
import { capturing } from '../domain/queues.ts';
import { itemName } from '../domain/receipt.ts';
import type { Tax } from '../domain/tax.ts';
import { failBilling, orderNotFound, paymentUnavailable } from '../errors.ts';
import type { OrderStore } from './orderStore.ts';
import type { Recorder } from './recorder.ts';
import type { OrderRow, ShownOrder } from '../domain/records.ts';

/** How long an order waits for its payment before it is over; a payment that comes later still pays for it. */
const openMs = 24 * 3_600_000;
/** Orders of a day that were not paid. */
const mostOpen = 20;
/** What a person waits for a gateway. */
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

export type Payments = ReturnType<typeof createPayments>;

export const knownOrder = (order: ShownOrder): KnownOrder => ({
  id: order.id,
  gatewayOrderId: order.gateway_order_id,
  gatewayPaymentId: order.payment_id,
  amountMinor: order.amount,
  currency: order.currency,
  createdAt: order.created_at,
});

/** A fact of ours, made of what a gateway told; undefined for what only says that something goes on. */
export function factFrom(told: GatewayFact, order: OrderRow): Fact | undefined {
  const base = { userId: order.user_id, orderId: order.id, at: told.at };
  // One payment is told by several events; its own id is the same in all of them.
  const about = told.kind === 'paid' ? (told.gatewayPaymentId ?? told.id) : told.id;
  const id = idFromName(`${order.gateway}:${told.kind}:${about}`);
  if (told.kind === 'approved' || told.kind === 'pending') return undefined;
  if (told.kind === 'failed') return { ...base, id, kind: 'failed', reason: 'payment_declined' };
  if (told.kind === 'cancelled') return { ...base, id, kind: 'cancelled' };
  if (told.amountMinor === null || told.currency === null) throw new Error(`${told.kind} came without an amount.`);
  const money = { amount: told.amountMinor, currency: told.currency };
  const moved = { ...base, gateway: order.gateway, money };
  if (told.kind === 'paid') return { ...moved, id, kind: 'payment', paymentId: about };
  if (told.kind === 'refunded') return { ...moved, id, kind: 'refund', refundId: told.id };
  return { ...moved, id, kind: told.kind, disputeId: told.id };
}

/** Orders, from the first click to what gateways know of them. */
export function createPayments(dependencies: PaymentDependencies) {
  const { gateways, orders, recorder, jobs, clock, log, tax, publicUrl } = dependencies;

  const mustFind = async (userId: UserId, id: string): Promise<ShownOrder> => {
    const order = await orders.get(id);
    if (!order || order.user_id !== userId) throw orderNotFound();
    return order;
  };

  /** Writes what a gateway told of an order, and has its money taken where it was approved. */
  const apply = async (order: OrderRow, told: readonly GatewayFact[]): Promise<void> => {
    await recorder.record(order.user_id, async (_account, trx) => {
      if (told.some(({ kind }) => kind === 'approved')) {
        await jobs.add(trx, capturing, { orderId: order.id }, { id: idFromName(`capture:${order.id}`) });
      }
      return told.flatMap((one) => factFrom(one, order) ?? []);
    });
  };

  const insert = async (wish: Wish): Promise<void> => {
    const now = clock.now();
    await recorder.record(wish.userId, async ({ orders: known, timeline }, trx) => {
      const before = known.find(({ id }) => id === wish.id);
      if (before) {
        if (isSame(before, wish)) return [];
        throw failBilling('conflict', 'order_conflict', 'This order is about something else.');
      }
      const since = now.getTime() - openMs;
      const open = known.filter((one) => one.created_at.getTime() > since && !['paid', 'refunded'].includes(one.state));
      if (open.length >= mostOpen) {
        throw failBilling('rate_limited', 'too_many_orders', 'There are too many orders that were not paid.');
      }
      const { amount, credit } = quote(wish, timeline, now);
      mustMatch(wish.expected, { amount, credit }, wish.currency);
      // The id may be that of somebody else's, which is nobody's to know.
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
      if (added.length === 0) throw failBilling('conflict', 'order_conflict', 'This order is about something else.');
      return [];
    });
  };

  const begin = async (order: ShownOrder, wish: Wish): Promise<PaymentStart> => {
    const gateway = gateways[order.gateway];
    if (!gateway) throw paymentUnavailable();
    const origin = wish.origin === '' ? publicUrl : wish.origin;
    try {
      return await gateway.begin(
        {
          id: order.id,
          userId: order.user_id,
          item: order.item,
          seats: order.seats,
          description: itemName(order.item, order.seats),
          amountMinor: order.amount,
          currency: order.currency,
          returnUrl: `${origin}/payment/success?order=${order.id}`,
          cancelUrl: `${origin}/payment/cancel?order=${order.id}`,
          notifyUrl: `${publicUrl}/api/${order.gateway}/notify`,
          firstName: wish.firstName,
          lastName: wish.lastName,
          email: wish.email,
        },
        AbortSignal.timeout(askedMs),
      );
    } catch (error) {
      log.warn({ err: error, orderId: order.id, gateway: order.gateway }, 'a payment could not be begun');
      if (error instanceof GatewayError && !error.retryable) {
        const id = idFromName(`begin-failed:${order.id}`);
        const failed = { id, userId: order.user_id, orderId: order.id, at: clock.now() };
        await recorder.record(order.user_id, () => [{ ...failed, kind: 'failed', reason: 'gateway_refused' }]);
      }
      throw paymentUnavailable(error);
    }
  };

  return {
    mustFind,
    apply,

    /** Makes an order and begins its payment; the same again is the same order, with the same payment. */
    async create(wish: Wish): Promise<{ order: ShownOrder; start: PaymentStart }> {
      if (!gateways[wish.gateway]) throw paymentUnavailable();
      await insert(wish);
      const order = await mustFind(wish.userId, wish.id);
      if (order.checkout) return { order, start: order.checkout };
      const start = await begin(order, wish);
      await orders.setCheckout(order.id, start);
      const id = idFromName(`redirected:${order.id}`);
      const fact = { id, kind: 'redirected' as const, userId: order.user_id, orderId: order.id, at: clock.now() };
      await recorder.record(order.user_id, () => [fact]);
      return { order: await mustFind(wish.userId, wish.id), start };
    },

    /** One that is paid or over stays as it is; a payment that is under way still pays for it. */
    async cancel(userId: UserId, orderId: string): Promise<ShownOrder> {
      const order = await mustFind(userId, orderId);
      if (order.state === 'created' || order.state === 'redirected') {
        const id = idFromName(`cancelled:${orderId}`);
        await recorder.record(userId, () => [{ id, kind: 'cancelled', userId, orderId, at: clock.now() }]);
      }
      return await mustFind(userId, orderId);
    },

    /** Asks the gateway, which takes the money where that is still to be done. */
    async ask(order: ShownOrder, signal = AbortSignal.timeout(askedMs)): Promise<void> {
      const gateway = gateways[order.gateway];
      if (!gateway || order.checkout === null) return;
      const known = knownOrder(order);
      const told = await gateway.lookUp(known, signal);
      const isApproved = told.some(({ kind }) => kind === 'approved') && !told.some(({ kind }) => kind === 'paid');
      await apply(order, isApproved ? await gateway.capture(known, signal) : told);
    },

    async capture(order: ShownOrder, signal: AbortSignal): Promise<void> {
      const gateway = gateways[order.gateway];
      if (!gateway) throw new Error(`The gateway ${order.gateway} is not configured.`);
      await apply(order, await gateway.capture(knownOrder(order), signal));
    },
  };
}

const isSame = (row: OrderRow, wish: Wish): boolean =>
  row.item === wish.item && row.seats === wish.seats && row.shown_currency === wish.shownCurrency;
