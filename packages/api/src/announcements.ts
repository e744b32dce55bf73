import { bulletinLimits } from '@nolo/rules';
import * as z from 'zod/mini';
import { trimmed } from './parameters.ts';
import { id, time } from './schemas.ts';

/** What an operator tells everybody who is signed in. */
export const announcement = z.object({
  id,
  /** A sentence by language; `en` is always there. */
  texts: z.record(z.string(), z.string()),
  severity: z.enum(['info', 'warning']),
  until: time,
});
export type Announcement = z.infer<typeof announcement>;

/** The same, as operators see it. */
export const adminAnnouncement = z.extend(announcement, {
  createdAt: time,
  /** null unless somebody ended it before its time. */
  endedAt: z.nullable(time),
});
export type AdminAnnouncement = z.infer<typeof adminAnnouncement>;

const sentence = trimmed(1, bulletinLimits.length);

/** In the languages of the app. */
export const announcementDraft = z.object({
  texts: z.object({ en: sentence, de: z.optional(sentence) }),
  severity: z.enum(['info', 'warning']),
  until: time,
});
