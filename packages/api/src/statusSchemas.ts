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
import { encryption, id, time, user, writtenContent } from './schemas.ts';

/** Status updates, as they travel at the edge (spec section 3, decision 24). */

const background = z.enum(statusBackgroundColors);
const textColor = z.enum(statusTextColors);
const font = z.enum(statusFonts);

/** Whom a status update is for: all mutual contacts, all but these, or only these of them. */
export const statusAudience = z.object({
  mode: z.enum(statusAudienceModes),
  /** Of `except` and `only`; empty for `contacts`. */
  userIds: z._default(z.array(id).check(z.maxLength(limits.statusAudiencePeople)), []),
});
export type StatusAudience = z.infer<typeof statusAudience>;

/** Who posted it. */
export const statusAuthor = z.pick(user, {
  id: true,
  firstName: true,
  lastName: true,
  displayName: true,
  profileImageUrl: true,
});
export type StatusAuthor = z.infer<typeof statusAuthor>;

/** A status update as everyone who may see it is told of it alike. */
export const statusState = z.object({
  id,
  userId: id,
  mediaType: z.enum(statusMediaTypes),
  /**
   * The text or caption, out of the envelope (envelope.ts) like everything down to `extra`. Of an encrypted one the
   * sealed envelope, which only clients open; the rest then has its defaults.
   */
  content: z.string(),
  backgroundColor: background,
  textColor,
  font,
  /** Seconds of a video, as the author's client says; null for all else. */
  duration: z.nullable(z.number()),
  /** What the author's client says of the medium, as JSON; opaque to the server. */
  mediaInfo: z.nullable(z.string()),
  /** What else the author's client put into the envelope; absent where there is nothing. */
  extra: z.optional(z.record(z.string(), z.unknown())),
  encryption,
  /** The picture or video; null for a text. */
  mediaUrl: z.nullable(z.string()),
  /** A still picture of a video, as a file of its own. */
  previewUrl: z.nullable(z.string()),
  /** The author's own id for it. */
  clientStatusId: z.nullable(id),
  createdAt: time,
  /** From this moment on it is gone. */
  expiresAt: time,
});
export type StatusState = z.infer<typeof statusState>;

/** A status update as one of those sees it. */
export const statusUpdate = z.extend(statusState, {
  user: statusAuthor,
  /** How many have looked at it, of those who share that they do; 0 for everybody but the author. */
  viewCount: z.int(),
  /** Whether the reader has looked at it; never of one's own. */
  hasViewed: z.boolean(),
  /** Whether the reader has muted the author. */
  isMuted: z.boolean(),
  /** Whom it is for; null for everybody but the author. */
  audience: z.nullable(z.enum(statusAudienceModes)),
});
export type StatusUpdate = z.infer<typeof statusUpdate>;

/** Somebody who has looked at a status update, as its author is told. */
export const statusViewer = z.object({ user: statusAuthor, viewedAt: time });
export type StatusViewer = z.infer<typeof statusViewer>;

/**
 * A new status update, with the fields of spec section 7 and those that belong in its envelope. A client that encrypts sends
 * the envelope as `content` and nothing beside it of what belongs inside.
 */
export const newStatus = z.object({
  /** Sent again with the same one, it is the same status update. */
  clientStatusId: z.optional(id),
  mediaType: z._default(z.enum(statusMediaTypes), 'text'),
  content: z._default(writtenContent, ''),
  encryption: z._default(encryption, 'none'),
  /** `/objects/{id}` of a file of one's own: needed for a picture or a video, refused for a text. */
  mediaUrl: z.optional(z.nullable(z.string().check(z.maxLength(2_048)))),
  /** The same, of a still picture of a video. */
  previewUrl: z.optional(z.nullable(z.string().check(z.maxLength(2_048)))),
  backgroundColor: z.optional(background),
  /** Stored and returned as submitted; clients adjust what they draw behind text that is hard to read. */
  textColor: z.optional(textColor),
  font: z.optional(font),
  /** Seconds of a video. */
  duration: z.optional(z.number().check(z.nonnegative(), z.maximum(limits.statusVideoSeconds))),
  mediaInfo: z.optional(z.string().check(z.maxLength(limits.mediaInfoBytes))),
  /** For readers alone, under names of the clients' own. */
  extra: z.optional(extraFields),
  /** What was chosen last, unless given; it is remembered. */
  audience: z.optional(statusAudience),
});
export type NewStatus = z.input<typeof newStatus>;
