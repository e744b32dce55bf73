/** Posts to social platforms (spec section 9, decisions 25 and 26): what both the server and the counters of clients go by. */

/** The specification's names, `twitter` being X; Mastodon and Bluesky are ours. In the order in which they are shown. */
export const socialPlatforms = [
  'twitter',
  'facebook',
  'linkedin',
  'instagram',
  'threads',
  'mastodon',
  'bluesky',
] as const;
export type SocialPlatform = (typeof socialPlatforms)[number];

export const socialPlatformNames: Readonly<Record<SocialPlatform, string>> = {
  twitter: 'Twitter/X',
  facebook: 'Facebook',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  threads: 'Threads',
  mastodon: 'Mastodon',
  bluesky: 'Bluesky',
};

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

/** A post at one account. */
export const socialDeliveryStates = [
  'waiting',
  'publishing',
  'published',
  'failed',
  'needs_review',
  'cancelled',
] as const;
export type SocialDeliveryState = (typeof socialDeliveryStates)[number];

/** Why a post is not out at an account, or nobody knows. */
export const socialReasons = [
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
export type SocialReason = (typeof socialReasons)[number];

/** More of `limits`: apart from the others, for the first screen needs none of them and carries those. */
export const socialLimits = {
  /** Characters of a post to social platforms: no platform takes more (spec section 9). */
  socialTextLength: 63_206,
  /** The most that any platform takes. */
  socialMediaPerPost: 20,
  socialAltTextLength: 4_086,
  /** Accounts that one post goes to, and that one person has connected. */
  socialAccountsPerPost: 50,
  socialAccountsPerUser: 50,
  socialPostsPerPage: 100,
  /** Posts and drafts that one person keeps. */
  socialPostsPerUser: 5_000,
} as const;
export type SocialLimits = typeof socialLimits;
