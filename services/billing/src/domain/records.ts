import type { UserId } from '@nolo/kit/ids';
import type { Currency, GatewayId, SaleItem } from '@nolo/rules';
import type { SeatOf } from './access.ts';
import type { Fact, OrderState } from './facts.ts';
import type { PaymentStart } from './gateway.ts';
import type { ReceiptContent } from './receipt.ts';
import type { Timeline } from './timeline.ts';

/** What is kept, as it is kept. Amounts are in minor units. */

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
  gateway: GatewayId;
  gateway_order_id: string | null;
  checkout: PaymentStart | null;
  email: string;
  buyer_name: string;
  state: OrderState;
  refunded: number;
  created_at: Date;
  expires_at: Date;
  looked_at: Date | null;
  reason: string;
}

/** An order with what is known of its payment and receipt. */
export type ShownOrder = OrderRow & {
  readonly paid_at: Date | null;
  readonly payment_id: string | null;
  readonly receipt_number: string | null;
};

export interface OrderFilter {
  readonly userId?: UserId | undefined;
  readonly state?: string | undefined;
}

/** What is known of a person, whose row in accounts is held until the transaction ends. */
export interface Account {
  readonly userId: UserId;
  readonly timeline: Timeline;
  readonly orders: readonly OrderRow[];
  readonly facts: readonly Fact[];
}

/** What facts that were not known before have changed. */
export interface Recorded {
  readonly userId: UserId;
  readonly facts: readonly Fact[];
  readonly timeline: Timeline;
  readonly hasNewTimeline: boolean;
  /** Orders whose state is another one now. */
  readonly orders: readonly OrderRow[];
}

export interface KnownAccount {
  readonly userId: UserId;
  readonly timeline: Timeline;
  readonly timeZone: string;
  readonly seat: SeatOf | undefined;
}

export type NotificationState = 'received' | 'done' | 'refused' | 'waiting' | 'failed';

export interface NotificationRow {
  id: string;
  gateway: GatewayId;
  digest: Buffer;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  source_address: string;
  received_at: Date;
  times: number;
  state: NotificationState;
  reason: string;
  event_id: string | null;
  order_id: string | null;
  attempts: number;
}

/** What became of an attempt. */
export interface Worked {
  readonly state: NotificationState;
  readonly reason: string;
  readonly eventId?: string | undefined;
  readonly orderId?: string | undefined;
}

export interface ReceiptRow {
  number: string;
  order_id: string;
  user_id: UserId;
  issued_at: Date;
  content: ReceiptContent;
}

export interface SeatRow {
  id: string;
  owner_id: UserId;
  user_id: UserId;
  state: 'invited' | 'member';
  invited_at: Date;
  joined_at: Date | null;
}

export interface AuditRow {
  id: string;
  operator_id: UserId;
  action: string;
  subject: string;
  details: unknown;
  is_allowed: boolean;
  at: Date;
}

export interface Usage {
  readonly used: number;
  readonly reserved: number;
}

/** With the month that it is of. */
export type Metered = Usage & { readonly period: string };

export interface Reservation {
  /** The caller's, so that asking again is asking once. */
  readonly id: string;
  readonly feature: string;
  readonly userId: UserId;
  readonly period: string;
  readonly amount: number;
}

export interface FeatureUsage {
  readonly userId: UserId;
  readonly feature: string;
  readonly amount: number;
}

/** Something that the ledger says and the facts do not. */
export interface LedgerFault {
  readonly orderId: string | null;
  readonly currency: string;
  readonly what: 'sum' | 'account';
}
