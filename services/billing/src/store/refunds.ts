import type { Clock } from '@nolo/kit/clock';
import type { Log } from '@nolo/kit/log';
import { GatewayError } from '../domain/gateway.ts';
import type { Gateways } from '../domain/ports.ts';
import { failBilling, orderNotFound, paymentUnavailable } from '../errors.ts';
import type { OrderStore } from './orderStore.ts';
import { knownOrder, type Payments } from './payments.ts';
import type { ShownOrder } from '../domain/records.ts';

const askedMs = 20_000;

interface Dependencies {
  readonly gateways: Gateways;
  readonly orders: OrderStore;
  readonly payments: Payments;
  readonly clock: Clock;
  readonly log: Log;
}

const invalid = (left: number) =>
  failBilling('conflict', 'refund_invalid', 'So much cannot be given back of this order.', { leftMinor: left });

/** Gives money back at the gateway. With the same id the gateway gives it once; what it did is known by look-up too. */
export function createRefunds({ gateways, orders, payments, log }: Dependencies) {
  return {
    async refund(orderId: string, refundId: string, amount: number, reason: string): Promise<ShownOrder> {
      const order = await orders.get(orderId);
      if (!order) throw orderNotFound();
      const left = order.payment_id === null ? 0 : order.amount - order.refunded;
      const wanted = amount === 0 ? left : amount;
      if (left <= 0 || wanted < 1 || wanted > left || !Number.isInteger(wanted)) throw invalid(left);
      const gateway = gateways[order.gateway];
      if (!gateway) throw paymentUnavailable();
      const request = { order: knownOrder(order), refundId, amountMinor: wanted, reason };
      try {
        await payments.apply(order, await gateway.refund(request, AbortSignal.timeout(askedMs)));
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        log.warn(
          { err: error, orderId, gateway: order.gateway },
          'a refund was not made, or nobody knows whether it was',
        );
        // Whether it was made is found out by the notification, the nightly look, or by asking again with the same id.
        throw error.retryable || error.mayBeDone ? paymentUnavailable(error) : invalid(left);
      }
      return (await orders.get(orderId)) ?? order;
    },
  };
}
