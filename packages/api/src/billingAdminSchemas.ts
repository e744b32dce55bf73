import { planIds } from '@nolo/rules';
import * as z from 'zod/mini';
import { billing, notificationStates, order } from './billingSchemas.ts';
import { id, time } from './schemas.ts';

/** What operators see of plans and payments. */

export const adminOrder = z.extend(order, {
  userId: id,
  /** Money that came for it and pays for nothing, in minor units: of another amount, or paid twice. */
  leftovers: z.array(z.object({ amountMinor: z.int(), currency: z.string() })),
});
export type AdminOrder = z.infer<typeof adminOrder>;

export const adminSubscription = z.object({ userId: id, subscription: billing });
export type AdminSubscription = z.infer<typeof adminSubscription>;

/** What a gateway sent, as it came. */
export const paymentNotification = z.object({
  id,
  gateway: z.string(),
  state: z.enum(notificationStates),
  /** Why it was refused or failed. */
  reason: z.nullable(z.string()),
  /** null where it is about no order that is known. */
  orderId: z.nullable(id),
  body: z.string(),
  receivedAt: time,
  attempts: z.int(),
});
export type PaymentNotification = z.infer<typeof paymentNotification>;

export const auditRecord = z.object({
  id,
  operatorId: id,
  action: z.string(),
  /** The account or order that it was about. */
  subject: z.nullable(z.string()),
  details: z.record(z.string(), z.unknown()),
  at: time,
  /** Refused attempts are recorded too. */
  allowed: z.boolean(),
});
export type AuditRecord = z.infer<typeof auditRecord>;

const reason = z.string().check(z.trim(), z.minLength(1), z.maxLength(500));

/** With the same id again it is the same refund. */
export const newRefund = z.object({
  id,
  /** All that is left, unless given. */
  amountMinor: z.optional(z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER))),
  reason,
});

/** With the same id again it is the same plan; `free` ends what was given. */
export const grantedPlan = z.object({
  id,
  plan: z.enum(planIds),
  days: z._default(z.int().check(z.minimum(1), z.maximum(366)), 30),
  reason,
});
