import { idFromName } from '@nolo/kit/ids';
import type { Currency, GatewayId } from '@nolo/rules';
import type { Fact, Ordered, OrderState } from './facts.ts';
import type { GatewayFact, KnownOrder, PaymentStart } from './gateway.ts';

/** Stored order; state, refunded amount and reason are derived from the facts. */
export interface StoredOrder extends Ordered {
  /** Currency of the price that was shown. The settlement currency is charged. */
  readonly shownCurrency: Currency;
  readonly taxName: string;
  readonly taxBasisPoints: number;
  readonly gateway: GatewayId;
  readonly gatewayOrderId: string | null;
  /** Checkout data, once the payment was started. */
  readonly checkout: PaymentStart | null;
  readonly email: string;
  readonly buyerName: string;
  readonly state: OrderState;
  readonly refunded: number;
  readonly reason: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Order with its payment and receipt. */
export interface ShownOrder extends StoredOrder {
  readonly paidAt: Date | null;
  /** Gateway's payment ID. */
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

/** Converts a gateway's report to a fact. Returns undefined for a mere progress report. */
export function factFrom(told: GatewayFact, order: StoredOrder): Fact | undefined {
  const { gateway, userId, id: orderId } = order;
  const base = { userId, orderId, at: told.at };
  // Several events report one payment; its own ID is the same in all of them.
  const about = told.kind === 'paid' ? (told.gatewayPaymentId ?? told.id) : told.id;
  const id = idFromName(`${gateway}:${told.kind}:${about}`);
  if (told.kind === 'approved' || told.kind === 'pending') return undefined;
  if (told.kind === 'failed') return { ...base, id, kind: 'failed', reason: 'payment_declined' };
  if (told.kind === 'cancelled') return { ...base, id, kind: 'cancelled' };
  // A dispute without an amount covers the whole order; payments and refunds have amounts.
  const money = { amount: told.amountMinor ?? order.money.amount, currency: told.currency ?? order.money.currency };
  const moved = { ...base, gateway, money };
  if (told.kind === 'paid') return { ...moved, id, kind: 'payment', paymentId: about };
  if (told.kind === 'refunded') return { ...moved, id, kind: 'refund', refundId: told.id };
  return { ...moved, id, kind: told.kind, disputeId: told.id };
}

/** Returns true unless it is a payment that does not match the order's price. */
export const paysFor = ({ money }: Ordered, told: GatewayFact): boolean =>
  told.kind !== 'paid' || (told.amountMinor === money.amount && told.currency === money.currency);
