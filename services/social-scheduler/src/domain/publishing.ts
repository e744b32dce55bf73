import { defineQueue } from '@nolo/kit/jobs';
import { z } from 'zod';

/** A job for each delivery, with its id. */
export const publishing = defineQueue({
  name: 'publishing',
  payload: z.object({ deliveryId: z.uuid() }),
  // A delivery is given up by the handler, which says so in its row; the queue's own end is never reached.
  attempts: 1_000,
  timeoutMs: 300_000,
  // A post without media waits for its platform and for Postgres, and weighs nothing meanwhile.
  concurrency: 200,
  // What an interrupted attempt may have done stands in the row, and is looked up before another.
  whenInterrupted: 'retry',
});

/** Posts with media under way at once in one process, for some platforms take a file whole. */
export const mediaAtOnce = 50;
