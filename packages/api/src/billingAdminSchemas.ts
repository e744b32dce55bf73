import { planIds } from '@nolo/rules';
import * as z from 'zod/mini';
import { billing, paymentNotificationStates, order } from './billingSchemas.ts';
import { id, time } from './schemas.ts';

/** Plans and payments as operators see them. */

export const adminOrder = z.extend(order, {
  userId: id,
  /** Payments for the order that pay for nothing, in minor units: a wrong amount, or a second payment. */
  leftovers: z.array(z.object({ amountMinor: z.int(), currency: z.string() })),
});
export type AdminOrder = z.infer<typeof adminOrder>;

export const adminSubscription = z.object({ userId: id, subscription: billing });
export type AdminSubscription = z.infer<typeof adminSubscription>;

/** Notification exactly as a payment gateway sent it. */
export const paymentNotification = z.object({
  id,
  gateway: z.string(),
  state: z.enum(paymentNotificationStates),
  /** Reason for the refusal or failure. */
  reason: z.nullable(z.string()),
  /** null if it belongs to no known order. */
  orderId: z.nullable(id),
  body: z.string(),
  receivedAt: time,
  attempts: z.int(),
});
export type PaymentNotification = z.infer<typeof paymentNotification>;

export const billingAuditRecord = z.object({
  id,
  operatorId: id,
  action: z.string(),
  /** Account or order that it was about. */
  subject: z.nullable(z.string()),
  details: z.record(z.string(), z.unknown()),
  at: time,
  /** False for refused attempts, which are recorded too. */
  allowed: z.boolean(),
});
export type BillingAuditRecord = z.infer<typeof billingAuditRecord>;

const reason = z.string().check(z.trim(), z.minLength(1), z.maxLength(500));

/** Idempotent by `id`: the same id is the same refund. */
export const newRefund = z.object({
  id,
  /** Default: the entire remaining amount. */
  amountMinor: z.optional(z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER))),
  reason,
});

/** Idempotent by `id`: the same id is the same grant. `free` ends what was granted. */
export const newPlanGrant = z.object({
  id,
  plan: z.enum(planIds),
  days: z._default(z.int().check(z.minimum(1), z.maximum(366)), 30),
  reason,
});
