import { fromCents, newId, toCents } from '../payments/PaymentDesk.ts';
import type { Delivery } from '../payments/switches.ts';

export interface Money {
  readonly currency_code: string;
  readonly value: string;
}

export interface Refund {
  readonly id: string;
  readonly amount: Money;
  readonly createdAt: string;
}

export interface Dispute {
  readonly id: string;
  readonly amount: Money;
  readonly createdAt: string;
  outcome?: string;
}

export interface Capture {
  readonly id: string;
  readonly amount: Money;
  readonly createdAt: string;
  status: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'REFUNDED';
  readonly refunds: Refund[];
  dispute?: Dispute;
}

/** Payer's choice on the page, which decides the result of a capture. */
export type Outcome = 'pay' | 'decline' | 'pending';

export interface Order {
  readonly id: string;
  readonly intent: 'CAPTURE';
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED';
  readonly unit: {
    readonly reference_id: string;
    readonly amount: Money;
    readonly custom_id?: string | undefined;
    readonly invoice_id?: string | undefined;
    readonly description?: string | undefined;
  };
  /** True if created with payment_source, which decides between the links `payer-action` and `approve`. */
  readonly withSource: boolean;
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly createdAt: string;
  outcome: Outcome;
  /** Delivery that the payer chose on the page. Unset: as the gateway's switches say. */
  delivery: Delivery | undefined;
  capture?: Capture;
}

const mostOrders = 20_000;

/** Stores the orders in memory. */
export class PayPalBook {
  readonly #orders = new Map<string, Order>();

  add(order: Omit<Order, 'id' | 'outcome' | 'delivery' | 'intent'>): Order {
    const made: Order = { ...order, id: newId(), intent: 'CAPTURE', outcome: 'pay', delivery: undefined };
    this.#orders.set(made.id, made);
    const [oldest] = this.#orders.keys();
    if (this.#orders.size > mostOrders && oldest !== undefined) this.#orders.delete(oldest);
    return made;
  }

  get(id: string): Order | undefined {
    return this.#orders.get(id);
  }

  /** Finds an order by PayPal's id or the merchant's. */
  find(id: string): Order | undefined {
    return this.get(id) ?? [...this.#orders.values()].findLast(({ unit }) => unit.custom_id === id);
  }

  ofCapture(id: string): Order | undefined {
    return [...this.#orders.values()].find(({ capture }) => capture?.id === id);
  }

  ofRefund(id: string): { order: Order; refund: Refund } | undefined {
    for (const order of this.#orders.values()) {
      const refund = order.capture?.refunds.find((one) => one.id === id);
      if (refund) return { order, refund };
    }
    return undefined;
  }

  list(): Order[] {
    return [...this.#orders.values()].toReversed();
  }
}

export const refundedCents = ({ refunds }: Capture): number =>
  refunds.reduce((sum, { amount }) => sum + toCents(amount.value), 0);

/** Refunds money from a capture. The caller has checked that it is available. */
export function takeRefund(capture: Capture, cents: number, createdAt: string): Refund {
  const { currency_code } = capture.amount;
  const refund: Refund = { id: newId(), amount: { currency_code, value: fromCents(cents) }, createdAt };
  capture.refunds.push(refund);
  const all = refundedCents(capture) === toCents(capture.amount.value);
  capture.status = all ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  return refund;
}
