import type { Order } from '@nolo/api';

/** Progress of an order that a page waits for. */
type OrderProgress = 'waiting' | 'paid' | 'over' | 'returned';

export function toOrderProgress(state: Order['state']): OrderProgress {
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

/** Milliseconds of waiting after which an alternative is offered; polling continues. */
export const longWaitMs = 30_000;

/** Returns the polling interval; longer once it takes long. */
export const getPollIntervalMs = (waitedMs: number): number => (waitedMs < longWaitMs ? 1_500 : 5_000);
