import { pushKinds, pushLimits } from '@nolo/rules';
import * as z from 'zod/mini';
import { id, time } from './schemas.ts';

const keyText = z.string().check(z.regex(/^[\w-]+=*$/), z.maxLength(128));
const timeOfDay = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/), z.maxLength(5));

/** Result of `PushSubscription.toJSON()` in a browser (Push API). */
export const newPushSubscription = z.object({
  endpoint: z.string().check(z.minLength(1), z.maxLength(pushLimits.endpointLength)),
  keys: z.object({ p256dh: keyText, auth: keyText }),
});

/** Push subscription of a session. Its endpoint is never disclosed. */
export const pushSubscription = z.object({
  id,
  sessionId: id,
  /** Host name of the push service. */
  host: z.string(),
  createdAt: time,
});
export type PushSubscriptionInfo = z.infer<typeof pushSubscription>;

export const pushKind = z.enum(pushKinds);

export const quietHours = z.object({
  from: timeOfDay,
  /** Earlier than `from` if the period ends on the next day. */
  to: timeOfDay,
  /** IANA time zone. */
  timeZone: z.string().check(z.minLength(1), z.maxLength(64)),
});

/** Notification settings of the user, for all devices. */
export const notificationSettings = z.object({
  kinds: z.array(pushKind),
  /** True if notifications show the content and the sender. */
  preview: z.boolean(),
  sound: z.boolean(),
  vibration: z.boolean(),
  /** Hours without notifications. */
  quietHours: z.nullable(quietHours),
});
export type NotificationSettings = z.infer<typeof notificationSettings>;

export const notificationSettingsChange = z.object({
  kinds: z.optional(z.array(pushKind).check(z.maxLength(pushKinds.length))),
  preview: z.optional(z.boolean()),
  sound: z.optional(z.boolean()),
  vibration: z.optional(z.boolean()),
  quietHours: z.optional(z.nullable(quietHours)),
});
