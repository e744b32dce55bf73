import type { Log } from '@nolo/kit/log';
import { GatewayError } from '../domain/gateway.ts';
import { knownOrder } from '../domain/orders.ts';
import type { Gateways, OrderStore, Payments, Refunds } from '../domain/ports.ts';
import { failBilling, orderNotFound, paymentUnavailable } from '../errors.ts';

const askedMs = 20_000;

interface Dependencies {
  readonly gateways: Gateways;
  readonly orders: OrderStore;
  readonly payments: Payments;
  readonly log: Log;
}

const invalid = (left: number) =>
  failBilling('conflict', 'refund_invalid', 'So much cannot be given back of this order.', { leftMinor: left });

/** Gives money back at the gateway. With the same id the gateway gives it once; what it did is known by look-up too. */
export function createRefunds({ gateways, orders, payments, log }: Dependencies): Refunds {
  return {
    async refund(orderId, refundId, amount, reason) {
      const order = await orders.get(orderId);
      if (!order) throw orderNotFound();
      const left = order.paymentId === null ? 0 : order.money.amount - order.refunded;
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
