import {
  fromCents,
  createPaymentId,
  toCents,
  type SimulatedGatewayControls,
  type PaymentSimulation,
  type PaymentView,
} from '../payments/PaymentSimulation.ts';
import {
  PayPalBook,
  refundedCents,
  refundCapture,
  type SimulatedCapture,
  type SimulatedOrder,
  type PayerChoice,
} from './PayPalBook.ts';
import { captureOf, disputeOf, fullOrder, refundOf } from './paypalShapes.ts';
import { PayPalWebhooks } from './PayPalWebhooks.ts';

interface Options {
  readonly simulation: PaymentSimulation;
  readonly base: string;
  readonly webhookId: string;
  readonly webhookUrl: string | undefined;
}

/** Simulates orders at PayPal and the webhooks that they cause. */
export class PayPalSimulator implements SimulatedGatewayControls {
  readonly book = new PayPalBook();
  readonly webhooks: PayPalWebhooks;
  readonly base: string;
  readonly simulation: PaymentSimulation;

  constructor({ simulation, base, webhookId, webhookUrl }: Options) {
    this.simulation = simulation;
    this.base = base;
    this.webhooks = new PayPalWebhooks({ simulation, webhookId, to: webhookUrl, base });
  }

  now(): string {
    return `${this.simulation.now().toISOString().slice(0, 19)}Z`;
  }

  /** Records that the payer agreed on the page. */
  approve(order: SimulatedOrder, outcome: PayerChoice): void {
    order.status = 'APPROVED';
    order.outcome = outcome;
    const kind = {
      event: 'CHECKOUT.ORDER.APPROVED',
      resourceType: 'checkout-order',
      summary: 'An order has been approved by buyer',
    };
    void this.webhooks.send(kind, order, fullOrder(this.base, order));
  }

  /** Creates the only capture of an order that is approved and whose instrument is valid. */
  capture(order: SimulatedOrder): SimulatedCapture {
    const status = order.outcome === 'pending' ? 'PENDING' : 'COMPLETED';
    const capture: SimulatedCapture = {
      id: createPaymentId(),
      amount: order.unit.amount,
      createdAt: this.now(),
      status,
      refunds: [],
    };
    order.capture = capture;
    order.status = 'COMPLETED';
    this.#notifyCapture(order, capture, status === 'PENDING' ? 'PENDING' : 'COMPLETED');
    return capture;
  }

  refund(order: SimulatedOrder, capture: SimulatedCapture, cents: number) {
    const refund = refundCapture(capture, cents, this.now());
    void this.webhooks.send(
      {
        event: 'PAYMENT.CAPTURE.REFUNDED',
        resourceType: 'refund',
        summary: `A ${refund.amount.value} ${refund.amount.currency_code} capture payment was refunded`,
      },
      order,
      refundOf(this.base, order, capture, refund),
    );
    return refund;
  }

  list(): PaymentView[] {
    return this.book.list().map((order) => ({
      gateway: 'paypal',
      id: order.id,
      order: order.unit.custom_id ?? '',
      status: order.capture === undefined ? order.status : `${order.status} (${order.capture.status})`,
      amount: order.unit.amount.value,
      currency: order.unit.amount.currency_code,
      refunded: order.capture === undefined ? '0.00' : fromCents(refundedCents(order.capture)),
      createdAt: order.createdAt,
      actions: actionsOf(order),
    }));
  }

  async act(id: string, action: string, value: string | undefined): Promise<string | undefined> {
    const order = this.book.find(id);
    if (!order) return 'unknown PayPal order';
    if (!actionsOf(order).includes(action)) return `${action} is not possible now`;
    const { capture } = order;
    if (action === 'approve') this.approve(order, 'pay');
    else if (capture) return this.#actOnCapture(order, capture, action, value);
    return await Promise.resolve(undefined);
  }

  #actOnCapture(
    order: SimulatedOrder,
    capture: SimulatedCapture,
    action: string,
    value: string | undefined,
  ): string | undefined {
    const left = toCents(capture.amount.value) - refundedCents(capture);
    const cents = value === undefined || value === '' ? left : toCents(value);
    if (action === 'complete' || action === 'deny') {
      capture.status = action === 'complete' ? 'COMPLETED' : 'DECLINED';
      this.#notifyCapture(order, capture, action === 'complete' ? 'COMPLETED' : 'DENIED');
    } else if (action === 'dispute' || action.startsWith('resolve')) this.#dispute(order, capture, action);
    else if (!(cents > 0 && cents <= left)) return `the amount must be between 0.01 and ${fromCents(left)}`;
    else if (action === 'refund') this.refund(order, capture, cents);
    else this.#reverse(order, capture, cents);
    return undefined;
  }

  #notifyCapture(order: SimulatedOrder, capture: SimulatedCapture, what: 'COMPLETED' | 'PENDING' | 'DENIED'): void {
    const { value, currency_code } = capture.amount;
    const summary = `Payment ${what.toLowerCase()} for ${value} ${currency_code}`;
    const kind = { event: `PAYMENT.CAPTURE.${what}`, resourceType: 'capture', summary };
    void this.webhooks.send(kind, order, captureOf(this.base, order, capture));
  }

  /** Takes money back without the merchant, as after a chargeback. */
  #reverse(order: SimulatedOrder, capture: SimulatedCapture, cents: number): void {
    const refund = refundCapture(capture, cents, this.now());
    const summary = `A ${refund.amount.value} ${refund.amount.currency_code} capture payment was reversed`;
    const kind = { event: 'PAYMENT.CAPTURE.REVERSED', resourceType: 'refund', summary };
    void this.webhooks.send(kind, order, refundOf(this.base, order, capture, refund));
  }

  #dispute(order: SimulatedOrder, capture: SimulatedCapture, action: string): void {
    if (action === 'dispute')
      capture.dispute = { id: `PP-D-${createPaymentId(5)}`, amount: capture.amount, createdAt: this.now() };
    else if (capture.dispute) {
      capture.dispute.outcome = action === 'resolve_buyer' ? 'RESOLVED_BUYER_FAVOUR' : 'RESOLVED_SELLER_FAVOUR';
    }
    const what = action === 'dispute' ? 'CREATED' : 'RESOLVED';
    const kind = {
      event: `CUSTOMER.DISPUTE.${what}`,
      resourceType: 'dispute',
      summary: `A dispute was ${what.toLowerCase()}`,
    };
    void this.webhooks.send(kind, order, disputeOf(this.base, order, capture));
  }
}

function actionsOf({ status, capture }: SimulatedOrder): string[] {
  if (!capture) return status === 'APPROVED' || status === 'COMPLETED' ? [] : ['approve'];
  if (capture.status === 'PENDING') return ['complete', 'deny'];
  if (capture.status === 'DECLINED' || capture.status === 'REFUNDED') return [];
  const disputed = capture.dispute !== undefined && capture.dispute.outcome === undefined;
  return ['refund', 'reverse', ...(disputed ? ['resolve_buyer', 'resolve_seller'] : ['dispute'])];
}
