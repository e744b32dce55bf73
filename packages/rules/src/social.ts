/** Posts to social platforms (spec section 9, decisions 25 and 26): what both the server and the counters of clients go by. */

/** The specification's names, `twitter` being X; Mastodon and Bluesky are ours. In the order in which they are shown. */
export const socialPlatforms = [
  'twitter',
  'facebook',
  'instagram',
  'linkedin',
  'threads',
  'mastodon',
  'bluesky',
] as const;
export type SocialPlatform = (typeof socialPlatforms)[number];

export const socialPlatformNames: Readonly<Record<SocialPlatform, string>> = {
  twitter: 'X',
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

/** What a person sees as one sign. */
const signsOf = (text: string) => new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text);

const countCodePoints = (text: string): number => [...text.normalize('NFC')].length;

/** Where every link counts as 23 characters, whatever its length. */
const shortenLinks = (text: string): string => text.replace(/https?:\/\/[^\s<>"']+/gu, 'x'.repeat(23));

/** What X counts once; everything else counts twice. https://docs.x.com/fundamentals/counting-characters */
const countedOnce = [
  [0x0000, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
] as const;
const weigh = (code: number): number => (countedOnce.some(([from, to]) => code >= from && code <= to) ? 1 : 2);

/** As X counts: links are 23, emoji 2, and signs outside of the ranges above 2. */
function countX(text: string): number {
  let count = 0;
  for (const { segment } of signsOf(shortenLinks(text.normalize('NFC')))) {
    if (/\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(segment) && !/^[\d#*©®]$/u.test(segment)) count += 2;
    else for (const sign of segment) count += weigh(sign.codePointAt(0) ?? 0);
  }
  return count;
}

/** How long a text is, as each platform counts. */
export const countSocialText: Readonly<Record<SocialPlatform, (text: string) => number>> = {
  twitter: countX,
  facebook: countCodePoints,
  instagram: countCodePoints,
  linkedin: countCodePoints,
  threads: countCodePoints,
  // https://docs.joinmastodon.org/user/posting/#text
  mastodon: (text) => countCodePoints(shortenLinks(text)),
  bluesky: (text) => [...signsOf(text)].length,
};
