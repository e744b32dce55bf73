import { idFromName } from '@nolo/kit/ids';
import type { Currency, PaymentGatewayId } from '@nolo/rules';
import type { BillingFact, OrderContents, OrderState } from './facts.ts';
import type { GatewayFact, GatewayOrder, PaymentStart } from './gateway.ts';

/** Stored order; state, refunded amount and reason are derived from the facts. */
export interface StoredOrder extends OrderContents {
  /** Currency of the price that was shown. The settlement currency is charged. */
  readonly shownCurrency: Currency;
  readonly taxName: string;
  readonly taxBasisPoints: number;
  readonly gateway: PaymentGatewayId;
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
export interface OrderView extends StoredOrder {
  readonly paidAt: Date | null;
  /** Gateway's payment ID. */
  readonly paymentId: string | null;
  readonly receiptNumber: string | null;
}

export const toGatewayOrder = ({ id, gatewayOrderId, paymentId, money, createdAt }: OrderView): GatewayOrder => ({
  id,
  gatewayOrderId,
  gatewayPaymentId: paymentId,
  amountMinor: money.amount,
  currency: money.currency,
  createdAt,
});

/** Converts a gateway's report to a fact. Returns undefined for a mere progress report. */
export function convertGatewayFact(gatewayFact: GatewayFact, order: StoredOrder): BillingFact | undefined {
  const { gateway, userId, id: orderId } = order;
  const base = { userId, orderId, at: gatewayFact.at };
  // Several events report one payment; its own ID is the same in all of them.
  const about = gatewayFact.kind === 'paid' ? (gatewayFact.gatewayPaymentId ?? gatewayFact.id) : gatewayFact.id;
  const id = idFromName(`${gateway}:${gatewayFact.kind}:${about}`);
  if (gatewayFact.kind === 'approved' || gatewayFact.kind === 'pending') return undefined;
  if (gatewayFact.kind === 'failed') return { ...base, id, kind: 'failed', reason: 'payment_declined' };
  if (gatewayFact.kind === 'cancelled') return { ...base, id, kind: 'cancelled' };
  // A dispute without an amount covers the whole order; payments and refunds have amounts.
  const money = {
    amount: gatewayFact.amountMinor ?? order.money.amount,
    currency: gatewayFact.currency ?? order.money.currency,
  };
  const moved = { ...base, gateway, money };
  if (gatewayFact.kind === 'paid') return { ...moved, id, kind: 'payment', paymentId: about };
  if (gatewayFact.kind === 'refunded') return { ...moved, id, kind: 'refund', refundId: gatewayFact.id };
  return { ...moved, id, kind: gatewayFact.kind, disputeId: gatewayFact.id };
}

/** Returns true unless it is a payment that does not match the order's price. */
export const coversOrder = ({ money }: OrderContents, gatewayFact: GatewayFact): boolean =>
  gatewayFact.kind !== 'paid' || (gatewayFact.amountMinor === money.amount && gatewayFact.currency === money.currency);
