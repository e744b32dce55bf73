import {
  limits,
  socialDeliveryStates,
  socialLimits,
  socialPlatforms,
  socialPostStates,
  socialReasons,
} from '@nolo/rules';
import * as z from 'zod/mini';
import { id, time } from './schemas.ts';

/** Social platforms, and posts that go out there (spec sections 3 and 7, decisions 25 and 26). */

export const socialPlatformId = z.enum(socialPlatforms);

/** One account at a platform, as a person has connected it. */
export const socialAccount = z.object({
  id,
  /** As the platform shows it, such as `@example`. */
  name: z.string(),
  /** Whether it has to be connected again. */
  expired: z.boolean(),
  /** Whether posts to the platform go there, unless they name their accounts. */
  chosen: z.boolean(),
});
export type SocialAccount = z.infer<typeof socialAccount>;

/** What the platform's documentation allows. Texts are counted by `countSocialText` of @nolo/rules. */
export const socialPlatformLimits = z.object({
  text: z.int(),
  /** Whether a post needs a picture or a video. */
  needsMedia: z.boolean(),
  /** Of one post. */
  images: z.int(),
  imageTypes: z.array(z.string()),
  imageBytes: z.int(),
  videos: z.int(),
  videoTypes: z.array(z.string()),
  videoBytes: z.int(),
  /** Characters of the text that stands in for a picture; 0 where the platform takes none. */
  altText: z.int(),
});
export type SocialPlatformLimits = z.infer<typeof socialPlatformLimits>;

export const socialPlatform = z.object({
  id: socialPlatformId,
  name: z.string(),
  /** Whether there is an account that can be posted to. */
  connected: z.boolean(),
  /** Whether this installation offers it at all; one that it does not offer cannot be connected. */
  offered: z.boolean(),
  /**
   * How it is connected: `window` by a page of the platform, `server` by that too, once it is known at which of its
   * servers, and `password` by name and app password.
   */
  connectBy: z.enum(['window', 'server', 'password']),
  /** Of `server`: those that the operator allows. */
  servers: z.array(z.string()),
  accounts: z.array(socialAccount),
  limits: socialPlatformLimits,
});
export type SocialPlatformState = z.infer<typeof socialPlatform>;

/** A file of a post. */
export const socialMedia = z.object({
  /** `/objects/{id}` of a file of one's own. */
  url: z.string(),
  altText: z.string(),
});
export type SocialMedia = z.infer<typeof socialMedia>;

/** A post at one account. */
export const socialDelivery = z.object({
  id,
  platform: socialPlatformId,
  /** Null once the account is connected no longer. */
  accountId: z.nullable(id),
  accountName: z.string(),
  state: z.enum(socialDeliveryStates),
  /** Why it failed, or waits for another attempt; null where nothing is wrong. */
  reason: z.nullable(z.enum(socialReasons)),
  /** When it is tried again; null where it is not. */
  retryAt: z.nullable(time),
  /** Where people see it; null where nobody knows. */
  url: z.nullable(z.string()),
  publishedAt: z.nullable(time),
});
export type SocialDelivery = z.infer<typeof socialDelivery>;

export const socialPost = z.object({
  id,
  content: z.string(),
  /** Other texts, by platform. */
  texts: z.partialRecord(socialPlatformId, z.string()),
  media: z.array(socialMedia),
  mediaCount: z.int(),
  state: z.enum(socialPostStates),
  /** When it goes out; null for at once, and for a draft without a time. */
  scheduledAt: z.nullable(time),
  /** The same as it was chosen on the wall, such as 2027-03-28T02:30, and where. */
  localTime: z.nullable(z.string()),
  timeZone: z.nullable(z.string()),
  createdAt: time,
  /** Where it goes; of a draft, what was chosen so far. */
  platforms: z.array(socialPlatformId),
  accountIds: z.array(id),
  /** What became of it at each account; none of a draft. */
  deliveries: z.array(socialDelivery),
});
export type SocialPost = z.infer<typeof socialPost>;

/** What became of a post at one account, as the specification says it. */
export const socialResult = z.object({
  platform: socialPlatformId,
  /** Whether it is out. What is still on its way (`waiting`, `publishing`) may be a moment later. */
  success: z.boolean(),
  state: z.enum(socialDeliveryStates),
  reason: z.nullable(z.enum(socialReasons)),
  accountId: z.nullable(id),
  accountName: z.string(),
  url: z.nullable(z.string()),
  postId: id,
});
export type SocialResult = z.infer<typeof socialResult>;

/** Each number is that of the posts in the state of its name; `total` is that of all posts. */
export const socialCounts = z.object({
  scheduled: z.int(),
  published: z.int(),
  failed: z.int(),
  needsReview: z.int(),
  total: z.int(),
});
export type SocialCounts = z.infer<typeof socialCounts>;

const text = z.string().check(z.maxLength(socialLimits.socialTextLength));
const webAddress = z.string().check(z.maxLength(limits.linkLength));

/** Where a post goes. */
const destinations = {
  /** To the chosen accounts at these platforms. */
  platforms: z.optional(z.array(socialPlatformId).check(z.maxLength(socialPlatforms.length))),
  /** To exactly these accounts instead. */
  accountIds: z.optional(z.array(id).check(z.maxLength(socialLimits.socialAccountsPerPost))),
};

/** When a post goes out. */
const times = {
  /**
   * As chosen on the wall, such as 2027-03-28T02:30, with `timeZone`; or an instant with its offset, such as
   * 2027-03-28T00:30:00Z.
   */
  scheduledAt: z.optional(z.nullable(z.string().check(z.maxLength(40)))),
  /** IANA; needed with a time on the wall. */
  timeZone: z.optional(z.string().check(z.maxLength(100))),
};

/** What a post says. */
const contents = {
  /** Sent again with the same one, it is the same post. */
  clientPostId: z.optional(id),
  /** Other texts, by platform. */
  texts: z.optional(z.partialRecord(socialPlatformId, text)),
  /** `/objects/{id}` of files of one's own, in their order. */
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

/** A post as the schedule screen writes it. Without `scheduledAt` it goes out at once. */
export const newSocialPost = z.object({
  ...contents,
  content: z._default(text, ''),
  ...destinations,
  ...times,
  /** Kept as a draft: nothing is sent, and nothing has to be complete. */
  draft: z._default(z.boolean(), false),
});
export type NewSocialPost = z.input<typeof newSocialPost>;

/** `POST /api/social/schedule`. Without platforms and accounts it goes to all that are connected. */
export const newSocialSchedule = z.object({
  ...contents,
  content: z._default(text, ''),
  ...destinations,
  ...times,
  scheduledAt: z.string().check(z.minLength(1), z.maxLength(40)),
});

/** A field of a form that is JSON. */
const json = z.optional(z.string().check(z.maxLength(socialLimits.socialTextLength)));
const bytes = z.optional(z.file());

/** `POST /api/social/multipost`; `image_1` and so on are further pictures. */
export const multipostForm = z.object({
  text: z.optional(text),
  /** A list of platforms. */
  platforms: json,
  accountIds: json,
  /** By platform. */
  texts: json,
  /** Of the files, in their order. */
  altTexts: json,
  clientPostId: z.optional(id),
  image_0: bytes,
  video: bytes,
});

/** The fields of that form, once its JSON is read. */
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
  /** Said by simple clients; what a post is follows from what is in it. */
  postType: z.optional(z.enum(['text', 'image', 'link'])),
});

/** `POST /api/social/share-meeting`. */
export const newSharedMeeting = z.object({
  clientPostId: contents.clientPostId,
  /** Where it does not name the link, that follows it; without a message title, link and code are shared. */
  message: z._default(text, ''),
  texts: contents.texts,
  ...destinations,
  ...times,
  meetingUrl: webAddress.check(z.minLength(1)),
  meetingTitle: z.optional(z.string().check(z.maxLength(limits.meetingNameLength))),
  roomCode: z.optional(z.string().check(z.maxLength(20))),
});
