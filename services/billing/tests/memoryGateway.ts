import { randomUUID } from 'node:crypto';
import type { PaymentGatewayId } from '@nolo/rules';
import {
  GatewayError,
  type GatewayFact,
  type GatewayOrder,
  type PaymentGateway,
  type PaymentOrder,
  type RawNotification,
} from '../src/domain/gateway.ts';

/** Contents of a notification from this gateway. */
export interface MemoryNotification {
  eventId: string;
  genuine: boolean;
  facts: GatewayFact[];
}

/** Gateway in memory that the test controls; its notifications are JSON. */
export class MemoryGateway implements PaymentGateway {
  readonly id: PaymentGatewayId;
  readonly begun = new Map<string, PaymentOrder>();
  /** Facts returned by look-ups, by order. */
  readonly known = new Map<string, GatewayFact[]>();
  refundCalls = 0;
  captures = 0;
  isAway = false;
  /** Gate that delays reading of notifications. */
  readsAfter: Promise<void> = Promise.resolve();

  constructor(id: PaymentGatewayId) {
    this.id = id;
  }

  async begin(order: PaymentOrder) {
    this.mustBeThere();
    this.begun.set(order.id, order);
    return { gatewayOrderId: `G-${order.id}`, approveUrl: `https://pay.example/${order.id}`, links: [], form: null };
  }

  async capture(order: GatewayOrder) {
    this.mustBeThere();
    this.captures += 1;
    const paid = this.factOf('paid', order);
    this.known.set(order.id, [paid]);
    return [paid];
  }

  async lookUp({ id }: GatewayOrder) {
    this.mustBeThere();
    return this.known.get(id) ?? [];
  }

  async refundsOf(order: GatewayOrder) {
    return (await this.lookUp(order)).filter(({ kind }) => kind === 'refunded');
  }

  async refund({ order, refundId, amountMinor }: Parameters<PaymentGateway['refund']>[0]) {
    this.mustBeThere();
    this.refundCalls += 1;
    return [{ ...this.factOf('refunded', order), id: refundId, amountMinor }];
  }

  async read({ body }: RawNotification) {
    await this.readsAfter;
    this.mustBeThere();
    const notification = JSON.parse(Buffer.from(body).toString()) as MemoryNotification;
    if (!notification.genuine) return { genuine: false as const, reason: 'signature' };
    const facts = notification.facts.map((fact) => ({ ...fact, at: new Date(fact.at) }));
    return { genuine: true as const, eventId: notification.eventId, facts };
  }

  /** Returns a fact about an order; by default a payment of the requested amount. */
  factOf(
    kind: GatewayFact['kind'],
    order: Pick<GatewayOrder, 'id' | 'amountMinor' | 'currency'>,
    more = {},
  ): GatewayFact {
    return {
      kind,
      id: `${kind}-${order.id}`,
      orderId: order.id,
      gatewayOrderId: `G-${order.id}`,
      gatewayPaymentId: `paid-${order.id}`,
      amountMinor: order.amountMinor,
      currency: order.currency,
      at: new Date('2026-11-20T12:00:00.000Z'),
      ...more,
    };
  }

  /** Returns the bytes of a notification. */
  static body(facts: GatewayFact[], more: Partial<MemoryNotification> = {}): Buffer {
    return Buffer.from(JSON.stringify({ eventId: randomUUID(), genuine: true, facts, ...more }));
  }

  private mustBeThere(): void {
    if (this.isAway) throw new GatewayError('AWAY', { retryable: true });
  }
}
