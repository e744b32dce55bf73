import {
  webhookDeliveryReasons,
  webhookDeliveryStates,
  webhookEventTypes,
  webhookLimits,
  webhookInactivityReasons,
  webhookStates,
  type WebhookEventType,
} from '@nolo/rules';
import * as z from 'zod/mini';
import { id, time } from './schemas.ts';

export const webhookEventType = z.enum(webhookEventTypes as readonly [WebhookEventType, ...WebhookEventType[]]);

/** Delivery of one event to one webhook. */
export const webhookDelivery = z.object({
  /** Value that receivers get as `webhook-id`. */
  id,
  /** Type of the event, or `webhook.test`. */
  type: z.string(),
  state: z.enum(webhookDeliveryStates),
  attempts: z.int(),
  /** HTTP status of the last answer; null without an answer. */
  responseStatus: z.nullable(z.int()),
  /** Reason why the last attempt failed, or why no attempt is made; null if neither applies. */
  reason: z.nullable(z.enum(webhookDeliveryReasons)),
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
  /**
   * Reason why it is inactive: paused by its owner or for lack of a plan; disabled because its receiver is gone or has
   * accepted nothing for days.
   */
  reason: z.nullable(z.enum(webhookInactivityReasons)),
  createdAt: time,
  /** End of the period in which the previous secret also signs. */
  oldSecretUntil: z.nullable(time),
  /** Time since which no delivery has succeeded. */
  failingSince: z.nullable(time),
  lastDelivery: z.nullable(webhookDelivery),
});
export type Webhook = z.infer<typeof webhook>;

export const webhookWithSecret = z.object({
  webhook,
  /** `whsec_` and the key in Base64; returned in this answer only. */
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
