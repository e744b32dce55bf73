import type { Currency, GatewayId, SaleItem } from '@nolo/rules';

/** What billing needs of a payment gateway. Amounts are integers in minor units of their currency. */
export interface PaymentGateway {
  readonly id: GatewayId;
  /**
   * Begins a payment; with the same order id it is the same payment.
   * @throws GatewayError
   */
  begin(order: PaymentOrder, signal?: AbortSignal): Promise<PaymentStart>;
  /**
   * Takes the money of an order that was approved, where the gateway wants that (PayPal); the same again takes nothing more.
   * Of a gateway that takes it by itself it only looks. An instrument that is declined is a fact (failed), no error.
   * @throws GatewayError
   */
  capture(order: KnownOrder, signal?: AbortSignal): Promise<readonly GatewayFact[]>;
  /**
   * What the gateway knows of an order, for the nightly reconciliation and for people who wait.
   * @throws GatewayError
   */
  lookUp(order: KnownOrder, signal?: AbortSignal): Promise<readonly GatewayFact[]>;
  /**
   * What was given back of a payment that is known, by whomever: also at the gateway's own pages.
   * @throws GatewayError
   */
  refundsOf(order: KnownOrder, signal?: AbortSignal): Promise<readonly GatewayFact[]>;
  /**
   * Gives money back.
   * @param refundId makes it once, where the gateway offers that
   * @throws GatewayError with mayBeDone where nobody knows whether it was
   */
  refund(refund: RefundRequest, signal?: AbortSignal): Promise<readonly GatewayFact[]>;
  /**
   * Whether the gateway sent this, by its signature, source, merchant and its own validation call, and what it says. Amounts
   * and orders are compared by billing.
   * @throws GatewayError where that could not be found out, so that it is tried again
   */
  read(notification: RawNotification, signal?: AbortSignal): Promise<ReadNotification>;
}

export interface PaymentOrder {
  readonly id: string;
  readonly userId: string;
  readonly item: SaleItem;
  readonly seats: number;
  /** What a person reads at the gateway. */
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
  /** The gateway's id of the order; null where it has none yet. */
  readonly gatewayOrderId: string | null;
  readonly approveUrl: string | null;
  readonly links: readonly { readonly href: string; readonly rel: string; readonly method: string }[];
  readonly form: {
    readonly action: string;
    readonly fields: readonly (readonly [name: string, value: string])[];
  } | null;
}

export interface KnownOrder {
  readonly id: string;
  readonly gatewayOrderId: string | null;
  /** The gateway's id of the payment, once it is known. */
  readonly gatewayPaymentId: string | null;
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly createdAt: Date;
}

export interface RefundRequest {
  readonly order: KnownOrder;
  readonly refundId: string;
  readonly amountMinor: number;
  readonly reason: string;
}

/** What happened at a gateway. The same may be told more than once, by notification and by look-up, under other event ids. */
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
  /** The gateway's id of what happened, the same whoever tells it: the capture's, the refund's, the dispute's. */
  readonly id: string;
  /** Our order; null where the gateway named only its own ids. */
  readonly orderId: string | null;
  readonly gatewayOrderId: string | null;
  readonly gatewayPaymentId: string | null;
  readonly amountMinor: number | null;
  readonly currency: string | null;
  readonly at: Date;
}

export interface RawNotification {
  readonly body: Uint8Array;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sourceAddress: string;
}

export type ReadNotification =
  | { readonly genuine: true; readonly eventId: string; readonly facts: readonly GatewayFact[] }
  | { readonly genuine: false; readonly reason: string };

/** Why a gateway did not do what was asked. */
export class GatewayError extends Error {
  /** Whether trying again may help. */
  readonly retryable: boolean;
  /** Whether it may have been done all the same: then only looking it up tells. */
  readonly mayBeDone: boolean;
  /** The gateway's own word for it, such as INSTRUMENT_DECLINED; never shown to people. */
  readonly issue: string;

  constructor(
    issue: string,
    options: { readonly retryable: boolean; readonly mayBeDone?: boolean; readonly cause?: unknown },
  ) {
    super(`The payment gateway refused: ${issue}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'GatewayError';
    this.issue = issue;
    this.retryable = options.retryable;
    this.mayBeDone = options.mayBeDone ?? false;
  }
}
