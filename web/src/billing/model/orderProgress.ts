import type { Order } from '@nolo/api';

/** What has become of an order, for whoever waits for it. */
export type OrderProgress = 'waiting' | 'paid' | 'over' | 'returned';

export function progressOf(state: Order['state']): OrderProgress {
  switch (state) {
    case 'created':
    case 'redirected':
      return 'waiting';
    case 'paid':
      return 'paid';
    case 'cancelled':
    case 'expired':
    case 'failed':
      return 'over';
    case 'refunded':
    case 'disputed':
      return 'returned';
  }
}

/** After so long a way on is offered (it goes on being asked). */
export const longWaitMs = 30_000;

/** How soon the order is asked for again; less often once it takes long. */
export const pollIntervalMs = (waitedMs: number): number => (waitedMs < longWaitMs ? 1_500 : 5_000);
