/**
 * Posts to social platforms (spec section 9, decisions 25 and 26): rules shared by the server and the counters of
 * clients.
 */

/** Platforms of the specification, where `twitter` is X; Mastodon and Bluesky are additions. In display order. */
export const socialPlatformNames = {
  twitter: 'Twitter/X',
  facebook: 'Facebook',
  linkedin: 'LinkedIn',
  instagram: 'Instagram',
  threads: 'Threads',
  mastodon: 'Mastodon',
  bluesky: 'Bluesky',
} as const;
export type SocialPlatform = keyof typeof socialPlatformNames;

export const socialPlatforms = Object.keys(socialPlatformNames) as readonly SocialPlatform[];

export const socialPostStates = [
  'draft',
  'scheduled',
  'publishing',
  'published',
  'failed',
  'needs_review',
  'cancelled',
] as const;
export type SocialPostState = (typeof socialPostStates)[number];

/** States of a post's delivery to one account. */
export const socialDeliveryStates = [
  'waiting',
  'publishing',
  'published',
  'failed',
  'needs_review',
  'cancelled',
] as const;
export type SocialDeliveryState = (typeof socialDeliveryStates)[number];

/** Reasons why a post is not published at an account, or its state is unknown. */
export const socialFailureReasons = [
  'authentication_expired',
  'permission_missing',
  'account_suspended',
  'rate_limited',
  'duplicate',
  'media_refused',
  'media_processing',
  'text_too_long',
  'content_refused',
  'platform_down',
  'unreachable',
  'refused',
  'disconnected',
  'link_barred',
  'unknown',
] as const;
export type SocialFailureReason = (typeof socialFailureReasons)[number];

/** Further limits, separate from `limits` because the first screen loads those and needs none of these. */
export const socialLimits = {
  /** Maximum characters of a post; no platform accepts more (spec section 9). */
  socialTextLength: 63_206,
  /** Maximum of any platform. */
  socialMediaPerPost: 20,
  socialAltTextLength: 4_086,
  /** Target accounts per post, and connected accounts per user. */
  socialAccountsPerPost: 50,
  socialAccountsPerUser: 50,
  socialPostsPerPage: 100,
  /** Stored posts and drafts per user. */
  socialPostsPerUser: 5_000,
} as const;
export type SocialLimits = typeof socialLimits;
