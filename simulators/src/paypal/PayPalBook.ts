import { fromCents, createPaymentId, toCents } from '../payments/PaymentSimulation.ts';
import type { DeliveryMode } from '../payments/switches.ts';

export interface PayPalMoney {
  readonly currency_code: string;
  readonly value: string;
}

export interface SimulatedRefund {
  readonly id: string;
  readonly amount: PayPalMoney;
  readonly createdAt: string;
}

interface SimulatedDispute {
  readonly id: string;
  readonly amount: PayPalMoney;
  readonly createdAt: string;
  outcome?: string;
}

export interface SimulatedCapture {
  readonly id: string;
  readonly amount: PayPalMoney;
  readonly createdAt: string;
  status: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'REFUNDED';
  readonly refunds: SimulatedRefund[];
  dispute?: SimulatedDispute;
}

/** Payer's choice on the page, which decides the result of a capture. */
export type PayerChoice = 'pay' | 'decline' | 'pending';

export interface SimulatedOrder {
  readonly id: string;
  readonly intent: 'CAPTURE';
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED';
  readonly unit: {
    readonly reference_id: string;
    readonly amount: PayPalMoney;
    readonly custom_id?: string | undefined;
    readonly invoice_id?: string | undefined;
    readonly description?: string | undefined;
  };
  /** True if created with payment_source, which decides between the links `payer-action` and `approve`. */
  readonly withSource: boolean;
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly createdAt: string;
  outcome: PayerChoice;
  /** Delivery that the payer chose on the page. Unset: as the gateway's switches say. */
  delivery: DeliveryMode | undefined;
  capture?: SimulatedCapture;
}

const maxKeptOrders = 20_000;

/** Stores the orders in memory. */
export class PayPalBook {
  readonly #orders = new Map<string, SimulatedOrder>();

  add(order: Omit<SimulatedOrder, 'id' | 'outcome' | 'delivery' | 'intent'>): SimulatedOrder {
    const made: SimulatedOrder = {
      ...order,
      id: createPaymentId(),
      intent: 'CAPTURE',
      outcome: 'pay',
      delivery: undefined,
    };
    this.#orders.set(made.id, made);
    const [oldest] = this.#orders.keys();
    if (this.#orders.size > maxKeptOrders && oldest !== undefined) this.#orders.delete(oldest);
    return made;
  }

  get(id: string): SimulatedOrder | undefined {
    return this.#orders.get(id);
  }

  /** Finds an order by PayPal's id or the merchant's. */
  find(id: string): SimulatedOrder | undefined {
    return this.get(id) ?? [...this.#orders.values()].findLast(({ unit }) => unit.custom_id === id);
  }

  ofCapture(id: string): SimulatedOrder | undefined {
    return [...this.#orders.values()].find(({ capture }) => capture?.id === id);
  }

  ofRefund(id: string): { order: SimulatedOrder; refund: SimulatedRefund } | undefined {
    for (const order of this.#orders.values()) {
      const refund = order.capture?.refunds.find((one) => one.id === id);
      if (refund) return { order, refund };
    }
    return undefined;
  }

  list(): SimulatedOrder[] {
    return [...this.#orders.values()].toReversed();
  }
}

export const refundedCents = ({ refunds }: SimulatedCapture): number =>
  refunds.reduce((sum, { amount }) => sum + toCents(amount.value), 0);

/** Refunds money from a capture. The caller has checked that it is available. */
export function refundCapture(capture: SimulatedCapture, cents: number, createdAt: string): SimulatedRefund {
  const { currency_code } = capture.amount;
  const refund: SimulatedRefund = {
    id: createPaymentId(),
    amount: { currency_code, value: fromCents(cents) },
    createdAt,
  };
  capture.refunds.push(refund);
  const all = refundedCents(capture) === toCents(capture.amount.value);
  capture.status = all ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  return refund;
}
