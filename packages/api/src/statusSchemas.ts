import {
  limits,
  statusAudienceModes,
  statusBackgroundColors,
  statusFonts,
  statusMediaTypes,
  statusTextColors,
} from '@nolo/rules';
import * as z from 'zod/mini';
import { extraFields } from './envelope.ts';
import { encryption, id, time, user, messageText } from './schemas.ts';

/** Status updates in the API (spec section 3, decision 24). */

const background = z.enum(statusBackgroundColors);
const textColor = z.enum(statusTextColors);
const font = z.enum(statusFonts);

/** Audience of a status update: all mutual contacts, all except these, or only these. */
export const statusAudience = z.object({
  mode: z.enum(statusAudienceModes),
  /** Users for `except` and `only`; empty for `contacts`. */
  userIds: z._default(z.array(id).check(z.maxLength(limits.statusAudiencePeople)), []),
});
export type StatusAudience = z.infer<typeof statusAudience>;

/** Author of a status update. */
export const statusAuthor = z.pick(user, {
  id: true,
  firstName: true,
  lastName: true,
  displayName: true,
  profileImageUrl: true,
});
export type StatusAuthor = z.infer<typeof statusAuthor>;

/** Status update as reported alike to everyone who may see it. */
export const baseStatusUpdate = z.object({
  id,
  userId: id,
  mediaType: z.enum(statusMediaTypes),
  /**
   * Text or caption from the envelope (packages/rules, envelope.ts), like all fields down to `extra`. For an encrypted
   * update, the sealed envelope, which only clients open; the other fields then have their defaults.
   */
  content: z.string(),
  backgroundColor: background,
  textColor,
  font,
  /** Seconds of a video, according to the author's client; null for other types. */
  duration: z.nullable(z.number()),
  /** Media details from the author's client, as JSON; opaque to the server. */
  mediaInfo: z.nullable(z.string()),
  /** Further envelope fields from the author's client; absent if there are no others. */
  extra: z.optional(z.record(z.string(), z.unknown())),
  encryption,
  /** Picture or video; null for a text. */
  mediaUrl: z.nullable(z.string()),
  /** Preview frame of a video, as a separate file. */
  previewUrl: z.nullable(z.string()),
  /** Author's own id for it. */
  clientStatusId: z.nullable(id),
  createdAt: time,
  /** Expiry. From this moment on, the update is unavailable. */
  expiresAt: time,
});
export type BaseStatusUpdate = z.infer<typeof baseStatusUpdate>;

/** Status update as one of its viewers sees it. */
export const statusUpdate = z.extend(baseStatusUpdate, {
  user: statusAuthor,
  /** Number of viewers who share that they viewed it; 0 for everyone except the author. */
  viewCount: z.int(),
  /** True if the reader viewed it; always false for the author. */
  hasViewed: z.boolean(),
  /** True if the reader muted the author. */
  isMuted: z.boolean(),
  /** Audience mode; null for everyone except the author. */
  audience: z.nullable(z.enum(statusAudienceModes)),
});
export type StatusUpdate = z.infer<typeof statusUpdate>;

/** Viewer of a status update, as its author sees it. */
export const statusViewer = z.object({ user: statusAuthor, viewedAt: time });
export type StatusViewer = z.infer<typeof statusViewer>;

/**
 * New status update, with the fields of spec section 7 and the envelope fields. A client that seals the envelope itself
 * sends it as `envelope`, and none of the fields that belong inside.
 */
export const newStatus = z.object({
  /** Client's id for idempotency: the same id is the same status update. */
  clientStatusId: z.optional(id),
  mediaType: z._default(z.enum(statusMediaTypes), 'text'),
  /** Null with an envelope: servers of 0.3.0, which would lose it, refuse that. */
  content: z._default(z.nullable(messageText), ''),
  /** Sealed envelope (ADR 39). */
  envelope: z.optional(messageText),
  encryption: z._default(encryption, 'none'),
  /** `/objects/{id}` of the user's own file: required for a picture or a video, refused for a text. */
  mediaUrl: z.optional(z.nullable(z.string().check(z.maxLength(2_048)))),
  /** `/objects/{id}` of a preview frame of a video. */
  previewUrl: z.optional(z.nullable(z.string().check(z.maxLength(2_048)))),
  backgroundColor: z.optional(background),
  /** Stored and returned as submitted; clients adjust what they draw behind text that is hard to read. */
  textColor: z.optional(textColor),
  font: z.optional(font),
  /** Seconds of a video. */
  duration: z.optional(z.number().check(z.nonnegative(), z.maximum(limits.statusVideoSeconds))),
  mediaInfo: z.optional(z.string().check(z.maxLength(limits.mediaInfoBytes))),
  /** Fields for readers only, under names that clients choose. */
  extra: z.optional(extraFields),
  /** Default: the last chosen audience. The choice is remembered. */
  audience: z.optional(statusAudience),
});
/** New status update before it is sealed. */
export type NewStatus = Omit<z.input<typeof newStatus>, 'content' | 'envelope'> & { content?: string };
