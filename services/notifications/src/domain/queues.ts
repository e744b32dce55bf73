import { defineQueue } from '@nolo/kit/jobs';
import { z } from 'zod';

/**
 * Queue with one job per delivery, which has its ID. The row decides how often and when to retry; `attempts` also
 * counts workers that died. Slow receivers occupy up to two places each, so there are many.
 */
export const webhookDeliveryQueue = defineQueue({
  name: 'webhooks',
  payload: z.object({ deliveryId: z.uuid() }),
  attempts: 1_000,
  backOffMs: () => 200,
  timeoutMs: 30_000,
  concurrency: 200,
  whenInterrupted: 'retry',
});

/** Queue for notifying owners of disabled webhooks. */
export const webhookMailQueue = defineQueue({
  name: 'webhook-mails',
  payload: z.object({ userId: z.uuid(), host: z.string(), gone: z.boolean() }),
  attempts: 20,
  timeoutMs: 30_000,
  concurrency: 5,
  whenInterrupted: 'retry',
});

/** Queue with one job per push, which has its ID. The row decides how long to retry. */
export const pushQueue = defineQueue({
  name: 'pushes',
  payload: z.object({ pushId: z.uuid() }),
  attempts: 100_000,
  backOffMs: () => 50,
  timeoutMs: 30_000,
  concurrency: 100,
  whenInterrupted: 'retry',
});
