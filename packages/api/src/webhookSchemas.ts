import {
  deliveryReasons,
  deliveryStates,
  webhookEventTypes,
  webhookLimits,
  webhookReasons,
  webhookStates,
  type WebhookEventType,
} from '@nolo/rules';
import * as z from 'zod/mini';
import { id, time } from './schemas.ts';

export const webhookEventType = z.enum(webhookEventTypes as readonly [WebhookEventType, ...WebhookEventType[]]);

/** One event on its way to one webhook. */
export const webhookDelivery = z.object({
  /** What receivers get as `webhook-id`. */
  id,
  /** Of the event, or `webhook.test`. */
  type: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  /** The HTTP status of the last answer; null where there was none. */
  responseStatus: z.nullable(z.int()),
  /** Why the last attempt did not come through, or why none is made; null where neither is so. */
  reason: z.nullable(z.enum(deliveryReasons)),
  createdAt: time,
  attemptedAt: z.nullable(time),
  nextAttemptAt: z.nullable(time),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

export const webhook = z.object({
  id,
  url: z.string(),
  description: z.string(),
  events: z.array(webhookEventType),
  state: z.enum(webhookStates),
  /** Why it is not active: paused by its owner or for want of a plan; disabled because its receiver is gone, or took nothing for days. */
  reason: z.nullable(z.enum(webhookReasons)),
  createdAt: time,
  /** Until when the secret of before signs along. */
  oldSecretUntil: z.nullable(time),
  /** Since when nothing has come through. */
  failingSince: z.nullable(time),
  lastDelivery: z.nullable(webhookDelivery),
});
export type Webhook = z.infer<typeof webhook>;

export const webhookWithSecret = z.object({
  webhook,
  /** `whsec_` and the key in Base64; in this answer and nowhere afterwards. */
  secret: z.string(),
});
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>;

const address = z.string().check(z.trim(), z.minLength(1), z.maxLength(webhookLimits.urlLength));
const description = z.string().check(z.trim(), z.maxLength(webhookLimits.descriptionLength));
const events = z.array(webhookEventType).check(z.minLength(1), z.maxLength(webhookEventTypes.length));

export const newWebhook = z.object({ url: address, description: z.optional(description), events });
export const webhookChange = z.object({
  url: z.optional(address),
  description: z.optional(description),
  events: z.optional(events),
  state: z.optional(z.enum(['active', 'paused'])),
});
