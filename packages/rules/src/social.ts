import { findLinks } from './links.ts';
import { countCharacters } from './status.ts';
import { countX, emojiPattern } from './xLength.ts';

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

const countCodePoints = (text: string): number => [...text.normalize('NFC')].length;

const emoji = new RegExp(emojiPattern, 'gu');

/** Emoji count as the bytes of UTF-8 that they have. https://developers.facebook.com/docs/threads/overview#limitations */
function countThreads(text: string): number {
  const bytes = text.match(emoji)?.reduce((sum, one) => sum + new TextEncoder().encode(one).length, 0) ?? 0;
  return bytes + countCodePoints(text.replace(emoji, ''));
}

/** Links count 23, and of a mention only the name does. https://docs.joinmastodon.org/user/posting/#text */
function countMastodon(text: string): number {
  const links = findLinks(text).map(({ text: part, href }) =>
    href !== null && /^https?:/iu.test(part) ? 'x'.repeat(23) : part,
  );
  return countCharacters(links.join('').replace(/(?<![\w/])(@\w+(?:[\w.-]*\w)?)@[\w.-]+\w/gu, '$1'));
}

const blueskyBytes = 3_000;

/**
 * Graphemes, of which there may be 300. A text of more than 3,000 bytes is too long as well, so there ten bytes count as
 * one. https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/feed/post.json
 */
function countBluesky(text: string): number {
  const bytes = new TextEncoder().encode(text).length;
  return bytes <= blueskyBytes ? countCharacters(text) : Math.max(countCharacters(text), Math.ceil(bytes / 10));
}

/** How long a text is, as each platform counts. */
export const countSocialText: Readonly<Record<SocialPlatform, (text: string) => number>> = {
  twitter: countX,
  facebook: countCodePoints,
  instagram: countCodePoints,
  linkedin: countCodePoints,
  threads: countThreads,
  mastodon: countMastodon,
  bluesky: countBluesky,
};
