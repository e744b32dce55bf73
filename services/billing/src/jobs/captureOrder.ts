import type { Job } from '@nolo/kit/jobs';
import type { Log } from '@nolo/kit/log';
import { GatewayError } from '../domain/gateway.ts';
import type { OrderStore, Payments } from '../domain/ports.ts';

/** Captures the money of an approved order. The gateway captures once, so retries are harmless. */
export function captureOrder({ orders, payments, log }: { orders: OrderStore; payments: Payments; log: Log }) {
  return async (job: Job<{ orderId: string }>): Promise<void> => {
    const order = await orders.get(job.payload.orderId);
    if (!order || order.paymentId !== null) return;
    try {
      await payments.capture(order, job.signal);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.retryable || error.mayBeDone) throw error;
      // Treated like a declined card: the person may choose another one and approve again.
      log.info({ orderId: order.id, issue: error.issue }, 'capturing an approved order failed');
    }
  };
}
