import {
  fromCents,
  newId,
  toCents,
  type ControlledGateway,
  type PaymentDesk,
  type ShownPayment,
} from '../payments/PaymentDesk.ts';
import { PayPalBook, refundedCents, takeRefund, type Capture, type Order, type Outcome } from './PayPalBook.ts';
import { captureOf, disputeOf, fullOrder, refundOf } from './paypalShapes.ts';
import { PayPalWebhooks } from './PayPalWebhooks.ts';

interface Options {
  readonly desk: PaymentDesk;
  readonly base: string;
  readonly webhookId: string;
  readonly webhookUrl: string | undefined;
}

/** Simulates orders at PayPal and the webhooks that they cause. */
export class PayPalSimulator implements ControlledGateway {
  readonly book = new PayPalBook();
  readonly webhooks: PayPalWebhooks;
  readonly base: string;
  readonly desk: PaymentDesk;

  constructor({ desk, base, webhookId, webhookUrl }: Options) {
    this.desk = desk;
    this.base = base;
    this.webhooks = new PayPalWebhooks({ desk, webhookId, to: webhookUrl, base });
  }

  now(): string {
    return `${this.desk.now().toISOString().slice(0, 19)}Z`;
  }

  /** Records that the payer agreed on the page. */
  approve(order: Order, outcome: Outcome): void {
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
  capture(order: Order): Capture {
    const status = order.outcome === 'pending' ? 'PENDING' : 'COMPLETED';
    const capture: Capture = { id: newId(), amount: order.unit.amount, createdAt: this.now(), status, refunds: [] };
    order.capture = capture;
    order.status = 'COMPLETED';
    this.#tellOfCapture(order, capture, status === 'PENDING' ? 'PENDING' : 'COMPLETED');
    return capture;
  }

  refund(order: Order, capture: Capture, cents: number) {
    const refund = takeRefund(capture, cents, this.now());
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

  list(): ShownPayment[] {
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

  #actOnCapture(order: Order, capture: Capture, action: string, value: string | undefined): string | undefined {
    const left = toCents(capture.amount.value) - refundedCents(capture);
    const cents = value === undefined || value === '' ? left : toCents(value);
    if (action === 'complete' || action === 'deny') {
      capture.status = action === 'complete' ? 'COMPLETED' : 'DECLINED';
      this.#tellOfCapture(order, capture, action === 'complete' ? 'COMPLETED' : 'DENIED');
    } else if (action === 'dispute' || action.startsWith('resolve')) this.#dispute(order, capture, action);
    else if (!(cents > 0 && cents <= left)) return `the amount must be between 0.01 and ${fromCents(left)}`;
    else if (action === 'refund') this.refund(order, capture, cents);
    else this.#reverse(order, capture, cents);
    return undefined;
  }

  #tellOfCapture(order: Order, capture: Capture, what: 'COMPLETED' | 'PENDING' | 'DENIED'): void {
    const { value, currency_code } = capture.amount;
    const summary = `Payment ${what.toLowerCase()} for ${value} ${currency_code}`;
    const kind = { event: `PAYMENT.CAPTURE.${what}`, resourceType: 'capture', summary };
    void this.webhooks.send(kind, order, captureOf(this.base, order, capture));
  }

  /** Takes money back without the merchant, as after a chargeback. */
  #reverse(order: Order, capture: Capture, cents: number): void {
    const refund = takeRefund(capture, cents, this.now());
    const summary = `A ${refund.amount.value} ${refund.amount.currency_code} capture payment was reversed`;
    const kind = { event: 'PAYMENT.CAPTURE.REVERSED', resourceType: 'refund', summary };
    void this.webhooks.send(kind, order, refundOf(this.base, order, capture, refund));
  }

  #dispute(order: Order, capture: Capture, action: string): void {
    if (action === 'dispute')
      capture.dispute = { id: `PP-D-${newId(5)}`, amount: capture.amount, createdAt: this.now() };
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

function actionsOf({ status, capture }: Order): string[] {
  if (!capture) return status === 'APPROVED' || status === 'COMPLETED' ? [] : ['approve'];
  if (capture.status === 'PENDING') return ['complete', 'deny'];
  if (capture.status === 'DECLINED' || capture.status === 'REFUNDED') return [];
  const disputed = capture.dispute !== undefined && capture.dispute.outcome === undefined;
  return ['refund', 'reverse', ...(disputed ? ['resolve_buyer', 'resolve_seller'] : ['dispute'])];
}
