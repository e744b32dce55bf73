import { defineQueue } from '@nolo/kit/jobs';
import { z } from 'zod';

/** A job for each delivery, with its id. */
export const publishing = defineQueue({
  name: 'publishing',
  payload: z.object({ deliveryId: z.uuid() }),
  // A delivery is given up by the handler, which says so in its row; the queue's own end is never reached.
  attempts: 1_000,
  timeoutMs: 300_000,
  concurrency: 50,
  // What an interrupted attempt may have done stands in the row, and is looked up before another.
  whenInterrupted: 'retry',
});
