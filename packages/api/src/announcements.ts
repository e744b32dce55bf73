import { announcementLimits } from '@nolo/rules';
import * as z from 'zod/mini';
import { trimmedText } from './parameters.ts';
import { id, time } from './schemas.ts';

/** Announcement by an operator to all signed-in users. */
export const announcement = z.object({
  id,
  /** Sentence by language; `en` is always present. */
  texts: z.record(z.string(), z.string()),
  severity: z.enum(['info', 'warning']),
  until: time,
});
export type Announcement = z.infer<typeof announcement>;

/** Announcement as operators see it. */
export const adminAnnouncement = z.extend(announcement, {
  createdAt: time,
  /** null unless an operator ended it early. */
  endedAt: z.nullable(time),
});
export type AdminAnnouncement = z.infer<typeof adminAnnouncement>;

const sentence = trimmedText(1, announcementLimits.length);

/** Texts in the languages of the app. */
export const announcementDraft = z.object({
  texts: z.object({ en: sentence, de: z.optional(sentence) }),
  severity: z.enum(['info', 'warning']),
  until: time,
});
