import type { Currency, PaymentGatewayId, SaleItem } from '@nolo/rules';

/** Interface to a payment gateway. Amounts are integers in minor units of their currency. */
export interface PaymentGateway {
  readonly id: PaymentGatewayId;
  /**
   * Starts a payment; idempotent by order ID.
   * @throws GatewayError
   */
  begin(order: PaymentOrder, signal?: AbortSignal): Promise<PaymentStart>;
  /**
   * Captures the money of an approved order if the gateway requires that (PayPal); idempotent. For a gateway that
   * captures automatically, it only looks up the order. A declined instrument is a fact (failed), not an error.
   * @throws GatewayError
   */
  capture(order: GatewayOrder, signal?: AbortSignal): Promise<readonly GatewayFact[]>;
  /**
   * Returns the gateway's facts about an order, for the reconciliation and for waiting people.
   * @throws GatewayError
   */
  lookUp(order: GatewayOrder, signal?: AbortSignal): Promise<readonly GatewayFact[]>;
  /**
   * Returns all refunds of a known payment, including those made on the gateway's own pages.
   * @throws GatewayError
   */
  refundsOf(order: GatewayOrder, signal?: AbortSignal): Promise<readonly GatewayFact[]>;
  /**
   * Refunds money.
   * @param refundId makes it idempotent, if the gateway supports that
   * @throws GatewayError with mayBeDone if the outcome is unknown
   */
  refund(refund: RefundRequest, signal?: AbortSignal): Promise<readonly GatewayFact[]>;
  /**
   * Verifies that the gateway sent a notification (signature, source, merchant and the gateway's validation call) and
   * parses it. Billing compares amounts and orders.
   * @throws GatewayError if verification was impossible, so that it is retried
   */
  read(notification: RawNotification, signal?: AbortSignal): Promise<NotificationCheckResult>;
}

export interface PaymentOrder {
  readonly id: string;
  readonly userId: string;
  readonly item: SaleItem;
  readonly seats: number;
  /** Description that the person reads at the gateway. */
  readonly description: string;
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly notifyUrl: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

export interface PaymentStart {
  /** Gateway's order ID. Null if not assigned yet. */
  readonly gatewayOrderId: string | null;
  readonly approveUrl: string | null;
  readonly links: readonly { readonly href: string; readonly rel: string; readonly method: string }[];
  readonly form: {
    readonly action: string;
    readonly fields: readonly (readonly [name: string, value: string])[];
  } | null;
}

export interface GatewayOrder {
  readonly id: string;
  readonly gatewayOrderId: string | null;
  /** Gateway's payment ID, once known. */
  readonly gatewayPaymentId: string | null;
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly createdAt: Date;
}

export interface RefundRequest {
  readonly order: GatewayOrder;
  readonly refundId: string;
  readonly amountMinor: number;
  readonly reason: string;
}

/**
 * Event at a gateway. The same one may be reported several times, by notification and look-up, under different event
 * IDs.
 */
export interface GatewayFact {
  readonly kind:
    | 'approved'
    | 'paid'
    | 'pending'
    | 'failed'
    | 'cancelled'
    | 'refunded'
    | 'dispute_opened'
    | 'dispute_won'
    | 'dispute_lost';
  /** Gateway's ID of the capture, refund or dispute, the same in every report. */
  readonly id: string;
  /** ID of our order. Null if the gateway sent only its own IDs. */
  readonly orderId: string | null;
  readonly gatewayOrderId: string | null;
  readonly gatewayPaymentId: string | null;
  readonly amountMinor: number | null;
  readonly currency: string | null;
  readonly at: Date;
}

export interface RawNotification {
  readonly body: Uint8Array;
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sourceAddress: string;
}

export type NotificationCheckResult =
  | { readonly genuine: true; readonly eventId: string; readonly facts: readonly GatewayFact[] }
  | { readonly genuine: false; readonly reason: string };

/** Failure of a gateway request. */
export class GatewayError extends Error {
  /** True if a retry may help. */
  readonly retryable: boolean;
  /** True if the request may have succeeded anyway; only a look-up can tell. */
  readonly mayBeDone: boolean;
  /** Gateway's own code, such as INSTRUMENT_DECLINED. Never shown to people. */
  readonly issue: string;

  constructor(
    issue: string,
    options: { readonly retryable: boolean; readonly mayBeDone?: boolean; readonly cause?: unknown },
  ) {
    super(`Payment gateway error: ${issue}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'GatewayError';
    this.issue = issue;
    this.retryable = options.retryable;
    this.mayBeDone = options.mayBeDone ?? false;
  }
}
