import {
  limits,
  socialDeliveryStates,
  socialLimits,
  socialPlatforms,
  socialPostStates,
  socialFailureReasons,
} from '@nolo/rules';
import * as z from 'zod/mini';
import { id, time } from './schemas.ts';

/** Social platforms, and posts to them (spec sections 3 and 7, decisions 25 and 26). */

export const socialPlatformId = z.enum(socialPlatforms);

/** Platform account that a user connected. */
export const socialAccount = z.object({
  id,
  /** Name as the platform shows it, such as `@example`. */
  name: z.string(),
  /** True if it must be reconnected. */
  expired: z.boolean(),
  /** True if posts to the platform go to this account unless they name accounts. */
  chosen: z.boolean(),
});
export type SocialAccount = z.infer<typeof socialAccount>;

/** Limits from the platform's documentation. `socialTextCounters` of @nolo/rules counts texts. */
export const socialPlatformLimits = z.object({
  text: z.int(),
  /** True if a post needs a picture or a video. */
  needsMedia: z.boolean(),
  /** Maximum pictures per post. */
  images: z.int(),
  imageTypes: z.array(z.string()),
  imageBytes: z.int(),
  videos: z.int(),
  videoTypes: z.array(z.string()),
  videoBytes: z.int(),
  /** Maximum characters of a picture's alternative text; 0 if the platform does not support it. */
  altText: z.int(),
});
export type SocialPlatformLimits = z.infer<typeof socialPlatformLimits>;

export const socialPlatform = z.object({
  id: socialPlatformId,
  name: z.string(),
  /** True if at least one account can be posted to. */
  connected: z.boolean(),
  /** True if this installation offers the platform. Otherwise it cannot be connected. */
  offered: z.boolean(),
  /**
   * Connection method: `window` through a page of the platform, `server` likewise after choosing one of its servers,
   * `password` with name and app password.
   */
  connectBy: z.enum(['window', 'server', 'password']),
  /** Servers that the operator allows, for `server`. */
  servers: z.array(z.string()),
  accounts: z.array(socialAccount),
  limits: socialPlatformLimits,
});
export type SocialPlatformState = z.infer<typeof socialPlatform>;

/** File of a post. */
export const socialPostMedia = z.object({
  /** `/objects/{id}` of the user's own file. */
  url: z.string(),
  altText: z.string(),
});
export type SocialPostMedia = z.infer<typeof socialPostMedia>;

/** Delivery of a post to one account. */
export const socialDelivery = z.object({
  id,
  platform: socialPlatformId,
  /** Null after the account is disconnected. */
  accountId: z.nullable(id),
  accountName: z.string(),
  state: z.enum(socialDeliveryStates),
  /** Reason for the failure or for another attempt; null if there is no problem. */
  reason: z.nullable(z.enum(socialFailureReasons)),
  /** Time of the next attempt; null if no attempt is planned. */
  retryAt: z.nullable(time),
  /** Public URL of the post; null if unknown. */
  url: z.nullable(z.string()),
  publishedAt: z.nullable(time),
});
export type SocialDelivery = z.infer<typeof socialDelivery>;

export const socialPost = z.object({
  id,
  content: z.string(),
  /** Alternative texts, by platform. */
  texts: z.partialRecord(socialPlatformId, z.string()),
  media: z.array(socialPostMedia),
  mediaCount: z.int(),
  state: z.enum(socialPostStates),
  /** Publishing time; null for immediate posts, and for a draft without a time. */
  scheduledAt: z.nullable(time),
  /** Publishing time as chosen in local time, such as 2027-03-28T02:30, and its time zone. */
  localTime: z.nullable(z.string()),
  timeZone: z.nullable(z.string()),
  createdAt: time,
  /** Target platforms. For a draft, the current selection. */
  platforms: z.array(socialPlatformId),
  accountIds: z.array(id),
  /** Result for each account; empty for a draft. */
  deliveries: z.array(socialDelivery),
});
export type SocialPost = z.infer<typeof socialPost>;

/** Result of a post for one account, in the specification's format. */
export const socialPostResult = z.object({
  platform: socialPlatformId,
  /** True if published. Deliveries still in progress (`waiting`, `publishing`) may succeed later. */
  success: z.boolean(),
  state: z.enum(socialDeliveryStates),
  reason: z.nullable(z.enum(socialFailureReasons)),
  accountId: z.nullable(id),
  accountName: z.string(),
  url: z.nullable(z.string()),
  postId: id,
});
export type SocialPostResult = z.infer<typeof socialPostResult>;

/** Number of posts in each state; `total` counts all posts. */
export const socialPostCounts = z.object({
  scheduled: z.int(),
  published: z.int(),
  failed: z.int(),
  needsReview: z.int(),
  total: z.int(),
});
export type SocialPostCounts = z.infer<typeof socialPostCounts>;

const text = z.string().check(z.maxLength(socialLimits.socialTextLength));
const webAddress = z.string().check(z.maxLength(limits.linkLength));

/** Targets of a post. */
const destinations = {
  /** Targets the selected accounts of these platforms. */
  platforms: z.optional(z.array(socialPlatformId).check(z.maxLength(socialPlatforms.length))),
  /** Targets exactly these accounts instead. */
  accountIds: z.optional(z.array(id).check(z.maxLength(socialLimits.socialAccountsPerPost))),
};

/** Publishing time of a post. */
const times = {
  /**
   * Local time, such as 2027-03-28T02:30, with `timeZone`; or an instant with its offset, such as 2027-03-28T00:30:00Z.
   */
  scheduledAt: z.optional(z.nullable(z.string().check(z.maxLength(40)))),
  /** IANA time zone; required with a local time. */
  timeZone: z.optional(z.string().check(z.maxLength(100))),
};

/** Content of a post. */
const contents = {
  /** Client's id for idempotency: the same id is the same post. */
  clientPostId: z.optional(id),
  /** Alternative texts, by platform. */
  texts: z.optional(z.partialRecord(socialPlatformId, text)),
  /** `/objects/{id}` of the user's own files, in order. */
  media: z.optional(
    z
      .array(
        z.object({
          url: webAddress,
          altText: z._default(z.string().check(z.maxLength(socialLimits.socialAltTextLength)), ''),
        }),
      )
      .check(z.maxLength(socialLimits.socialMediaPerPost)),
  ),
};

/** Post as the scheduling screen creates it. Without `scheduledAt` it is published immediately. */
export const newSocialPost = z.object({
  ...contents,
  content: z._default(text, ''),
  ...destinations,
  ...times,
  /** True for a draft: nothing is sent, and the post may be incomplete. */
  draft: z._default(z.boolean(), false),
});
export type NewSocialPost = z.input<typeof newSocialPost>;

/** `POST /api/social/schedule`. Without platforms and accounts, the post goes to all connected accounts. */
export const newScheduledPost = z.object({
  ...contents,
  content: z._default(text, ''),
  ...destinations,
  ...times,
  scheduledAt: z.string().check(z.minLength(1), z.maxLength(40)),
});

/** Form field that contains JSON. */
const json = z.optional(z.string().check(z.maxLength(socialLimits.socialTextLength)));
const bytes = z.optional(z.file());

/** `POST /api/social/multipost`; `image_1` and so on are additional pictures. */
export const multipostForm = z.object({
  text: z.optional(text),
  /** List of platforms. */
  platforms: json,
  accountIds: json,
  /** Texts by platform. */
  texts: json,
  /** Alternative texts of the files, in order. */
  altTexts: json,
  clientPostId: z.optional(id),
  image_0: bytes,
  video: bytes,
});

/** Fields of that form after parsing its JSON. */
export const multipostFields = z.object({
  text: z._default(text, ''),
  ...destinations,
  texts: contents.texts,
  altTexts: z.optional(
    z
      .array(z.string().check(z.maxLength(socialLimits.socialAltTextLength)))
      .check(z.maxLength(socialLimits.socialMediaPerPost)),
  ),
  clientPostId: contents.clientPostId,
});
export type MultipostFields = z.infer<typeof multipostFields>;

/** `POST /api/social/post`. */
export const newSharedPost = z.object({
  ...contents,
  message: z._default(text, ''),
  ...destinations,
  ...times,
  /** Sent by simple clients and ignored: the type of a post follows from its content. */
  postType: z.optional(z.enum(['text', 'image', 'link'])),
});

/** `POST /api/social/share-meeting`. */
export const newMeetingLinkPost = z.object({
  clientPostId: contents.clientPostId,
  /**
   * Text of the post. If it does not contain the link, the link is appended; without a message, title, link and code
   * are shared.
   */
  message: z._default(text, ''),
  texts: contents.texts,
  ...destinations,
  ...times,
  meetingUrl: webAddress.check(z.minLength(1)),
  meetingTitle: z.optional(z.string().check(z.maxLength(limits.meetingNameLength))),
  roomCode: z.optional(z.string().check(z.maxLength(20))),
});
