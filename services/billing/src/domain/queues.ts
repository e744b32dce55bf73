import { defineQueue } from '@nolo/kit/jobs';
import { z } from 'zod';

/** A job for each notification, with its id. What a gateway cannot be asked about is tried for days. */
export const workingNotifications = defineQueue({
  name: 'notifications',
  payload: z.object({ notificationId: z.uuid() }),
  attempts: 120,
  timeoutMs: 60_000,
  concurrency: 20,
  whenInterrupted: 'retry',
});

/** Money of an order that was approved is taken; the gateway takes it once however often it is asked. */
export const capturing = defineQueue({
  name: 'captures',
  payload: z.object({ orderId: z.uuid() }),
  attempts: 60,
  timeoutMs: 60_000,
  concurrency: 20,
  whenInterrupted: 'retry',
});

/** Holds the meters of one feature against what its service holds; the same again mends nothing more. */
export const reconcilingMeters = defineQueue({
  name: 'meters',
  payload: z.object({ feature: z.string().max(40) }),
  attempts: 6,
  timeoutMs: 1_800_000,
  concurrency: 1,
  whenInterrupted: 'retry',
});

/** Mail to one person; one that went out although nobody heard of it goes out again. */
export const mailing = defineQueue({
  name: 'mail',
  payload: z.object({
    userId: z.uuid(),
    about: z.enum(['receipt', 'reminder', 'grace', 'ended', 'invitation', 'seat']),
    /** Of a mail to an address that the person named. */
    to: z.string().max(320).optional(),
    orderId: z.uuid().optional(),
    item: z.string().max(40).optional(),
    at: z.iso.datetime().optional(),
    origin: z.string().max(300).optional(),
    /** Who offers a seat. */
    from: z.uuid().optional(),
  }),
  attempts: 20,
  timeoutMs: 60_000,
  concurrency: 10,
  whenInterrupted: 'retry',
});
