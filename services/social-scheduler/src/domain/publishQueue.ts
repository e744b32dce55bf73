import { defineQueue } from '@nolo/kit/jobs';
import { z } from 'zod';

/** Queue with one job per delivery, which has its ID. */
export const publishQueue = defineQueue({
  name: 'publishing',
  payload: z.object({ deliveryId: z.uuid() }),
  // The handler gives up deliveries and records it in their row, so this limit is never reached.
  attempts: 1_000,
  timeoutMs: 300_000,
  // Posts without media wait for their platform and Postgres, and cost little meanwhile.
  concurrency: 200,
  // The row records what an interrupted attempt may have done, and the platform is checked before another attempt.
  whenInterrupted: 'retry',
});

/** Maximum concurrent posts with media per process, because some platforms need whole files in memory. */
export const maxConcurrentMediaPosts = 50;
