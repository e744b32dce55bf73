import type { UserId } from '@nolo/kit/ids';
import type { Currency, PaymentGatewayId, SaleItem } from '@nolo/rules';
import type { BillingFact, OrderState } from '../domain/facts.ts';
import type { PaymentStart } from '../domain/gateway.ts';
import type { StoredOrder } from '../domain/orders.ts';

export interface OrderRow {
  id: string;
  user_id: UserId;
  item: SaleItem;
  seats: number;
  currency: Currency;
  amount: number;
  credit: number;
  shown_currency: Currency;
  tax_name: string;
  tax_basis_points: number;
  gateway: PaymentGatewayId;
  gateway_order_id: string | null;
  checkout: PaymentStart | null;
  email: string;
  buyer_name: string;
  state: OrderState;
  refunded: number;
  reason: string;
  created_at: Date;
  expires_at: Date;
  looked_at: Date | null;
}

export interface FactRow {
  id: string;
  user_id: UserId;
  order_id: string | null;
  kind: BillingFact['kind'];
  happened_at: Date;
  content: Readonly<Record<string, unknown>>;
}

export const toStoredOrder = (row: OrderRow): StoredOrder => ({
  id: row.id,
  userId: row.user_id,
  item: row.item,
  seats: row.seats,
  money: { amount: row.amount, currency: row.currency },
  credit: row.credit,
  shownCurrency: row.shown_currency,
  taxName: row.tax_name,
  taxBasisPoints: row.tax_basis_points,
  gateway: row.gateway,
  gatewayOrderId: row.gateway_order_id,
  checkout: row.checkout,
  email: row.email,
  buyerName: row.buyer_name,
  state: row.state,
  refunded: row.refunded,
  reason: row.reason,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

export function toFactRow({ id, userId, at, kind, ...content }: BillingFact): FactRow {
  const { orderId, ...rest } = content as typeof content & { orderId?: string };
  return { id, user_id: userId, order_id: orderId ?? null, kind, happened_at: at, content: rest };
}

export function fromFactRow(row: FactRow): BillingFact {
  const until = row.content['until'];
  return {
    ...row.content,
    ...(typeof until === 'string' ? { until: new Date(until) } : {}),
    ...(row.order_id === null ? {} : { orderId: row.order_id }),
    id: row.id,
    userId: row.user_id,
    at: row.happened_at,
    kind: row.kind,
  } as BillingFact;
}
