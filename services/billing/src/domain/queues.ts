import { defineQueue } from '@nolo/kit/jobs';
import { z } from 'zod';

/**
 * Processes notifications, one job each, with the notification's ID. Unanswered gateway queries are retried for days.
 */
export const gatewayNotificationQueue = defineQueue({
  name: 'notifications',
  payload: z.object({ notificationId: z.uuid() }),
  attempts: 120,
  timeoutMs: 60_000,
  concurrency: 20,
  whenInterrupted: 'retry',
});

/** Captures the money of an approved order; idempotent at the gateway. */
export const captureQueue = defineQueue({
  name: 'captures',
  payload: z.object({ orderId: z.uuid() }),
  attempts: 60,
  timeoutMs: 60_000,
  concurrency: 20,
  whenInterrupted: 'retry',
});

/** Compares the meters of one feature with its service's data; idempotent. */
export const meterReconciliationQueue = defineQueue({
  name: 'meters',
  payload: z.object({ feature: z.string().max(40) }),
  attempts: 6,
  timeoutMs: 1_800_000,
  concurrency: 1,
  whenInterrupted: 'retry',
});

/** Sends an email to one person. If a successful delivery was not confirmed, the email is sent again. */
export const mailQueue = defineQueue({
  name: 'mail',
  payload: z.object({
    userId: z.uuid(),
    about: z.enum(['receipt', 'reminder', 'grace', 'ended', 'invitation', 'seat']),
    /** Address chosen by the person. */
    to: z.string().max(320).optional(),
    orderId: z.uuid().optional(),
    item: z.string().max(40).optional(),
    at: z.iso.datetime().optional(),
    origin: z.string().max(300).optional(),
    /** Person who offers a seat. */
    from: z.uuid().optional(),
  }),
  attempts: 20,
  timeoutMs: 60_000,
  concurrency: 10,
  whenInterrupted: 'retry',
});
