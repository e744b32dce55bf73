import { idFromName } from '@nolo/kit/ids';
import type { Currency, GatewayId } from '@nolo/rules';
import type { Fact, Ordered, OrderState } from './facts.ts';
import type { GatewayFact, KnownOrder, PaymentStart } from './gateway.ts';

/** An order, as it is kept; state, refunded and reason follow from the facts. */
export interface StoredOrder extends Ordered {
  /** Whose price was shown; charged is that of the settlement. */
  readonly shownCurrency: Currency;
  readonly taxName: string;
  readonly taxBasisPoints: number;
  readonly gateway: GatewayId;
  readonly gatewayOrderId: string | null;
  /** How it is paid, once its payment was begun. */
  readonly checkout: PaymentStart | null;
  readonly email: string;
  readonly buyerName: string;
  readonly state: OrderState;
  readonly refunded: number;
  readonly reason: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** An order with what is known of its payment and receipt. */
export interface ShownOrder extends StoredOrder {
  readonly paidAt: Date | null;
  /** The gateway's id of the payment. */
  readonly paymentId: string | null;
  readonly receiptNumber: string | null;
}

export const knownOrder = ({ id, gatewayOrderId, paymentId, money, createdAt }: ShownOrder): KnownOrder => ({
  id,
  gatewayOrderId,
  gatewayPaymentId: paymentId,
  amountMinor: money.amount,
  currency: money.currency,
  createdAt,
});

/** A fact of ours, made of what a gateway told; undefined for what only says that something goes on. */
export function factFrom(told: GatewayFact, order: StoredOrder): Fact | undefined {
  const { gateway, userId, id: orderId } = order;
  const base = { userId, orderId, at: told.at };
  // One payment is told by several events; its own id is the same in all of them.
  const about = told.kind === 'paid' ? (told.gatewayPaymentId ?? told.id) : told.id;
  const id = idFromName(`${gateway}:${told.kind}:${about}`);
  if (told.kind === 'approved' || told.kind === 'pending') return undefined;
  if (told.kind === 'failed') return { ...base, id, kind: 'failed', reason: 'payment_declined' };
  if (told.kind === 'cancelled') return { ...base, id, kind: 'cancelled' };
  // A dispute that names no amount is about all of it; payments and refunds name theirs.
  const money = { amount: told.amountMinor ?? order.money.amount, currency: told.currency ?? order.money.currency };
  const moved = { ...base, gateway, money };
  if (told.kind === 'paid') return { ...moved, id, kind: 'payment', paymentId: about };
  if (told.kind === 'refunded') return { ...moved, id, kind: 'refund', refundId: told.id };
  return { ...moved, id, kind: told.kind, disputeId: told.id };
}

/** Whether it pays for the order, where it is a payment. */
export const paysFor = ({ money }: Ordered, told: GatewayFact): boolean =>
  told.kind !== 'paid' || (told.amountMinor === money.amount && told.currency === money.currency);
