import { defineQueue } from '@nolo/kit/jobs';
import { z } from 'zod';

/**
 * A job for each delivery, with its id. How often and when it is tried the row decides; `attempts` also counts workers that
 * died. Receivers that answer slowly hold a place each, twice at most, so there are many.
 */
export const sending = defineQueue({
  name: 'webhooks',
  payload: z.object({ deliveryId: z.uuid() }),
  attempts: 1_000,
  backOffMs: () => 200,
  timeoutMs: 30_000,
  concurrency: 200,
  whenInterrupted: 'retry',
});

/** The owner of a webhook that was disabled is told. */
export const mailing = defineQueue({
  name: 'webhook-mails',
  payload: z.object({ userId: z.uuid(), host: z.string(), gone: z.boolean() }),
  attempts: 20,
  timeoutMs: 30_000,
  concurrency: 5,
  whenInterrupted: 'retry',
});

/** A job for each push, with its id; how long it is tried the row decides. */
export const pushing = defineQueue({
  name: 'pushes',
  payload: z.object({ pushId: z.uuid() }),
  attempts: 100_000,
  backOffMs: () => 50,
  timeoutMs: 30_000,
  concurrency: 100,
  whenInterrupted: 'retry',
});
