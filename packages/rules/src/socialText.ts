import { splitTextAtLinks } from './links.ts';
import type { SocialPlatform } from './social.ts';
import { countCharacters } from './status.ts';
import { countXPostCharacters } from './countXPostCharacters.ts';

const countCodePoints = (text: string): number => [...text.normalize('NFC')].length;

/** Complete emoji sequence: skin tones, joined emoji, tags, both letters of a flag, the keycap. */
const emoji =
  /\p{Regional_Indicator}{2}|[\d#*]\ufe0f?\u20e3|[©®]\ufe0f|(?![©®])(?:\p{Extended_Pictographic}|\p{Emoji_Presentation})(?:\ufe0f|\p{Emoji_Modifier})?[\u{e0020}-\u{e007f}]*(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*/gu;

/** Counts an emoji as its number of UTF-8 bytes. https://developers.facebook.com/docs/threads/overview#limitations */
function countThreads(text: string): number {
  const bytes = text.match(emoji)?.reduce((sum, one) => sum + new TextEncoder().encode(one).length, 0) ?? 0;
  return bytes + countCodePoints(text.replace(emoji, ''));
}

/** Counts a link as 23, and only the name of a mention. https://docs.joinmastodon.org/user/posting/#text */
function countMastodon(text: string): number {
  const links = splitTextAtLinks(text).map(({ text: segment, href }) =>
    href !== null && /^https?:/iu.test(segment) ? 'x'.repeat(23) : segment,
  );
  return countCharacters(links.join('').replace(/(?<![\w/])(@\w[\w.-]*)(?<=\w)@[\w.-]+\w/gu, '$1'));
}

const blueskyBytes = 3_000;

/**
 * Counts graphemes, up to 300 allowed. A text of more than 3,000 bytes is also too long, so ten bytes count as at least
 * one. https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/feed/post.json
 */
function countBluesky(text: string): number {
  const bytes = new TextEncoder().encode(text).length;
  return bytes <= blueskyBytes ? countCharacters(text) : Math.max(countCharacters(text), Math.ceil(bytes / 10));
}

/** Length of a text as each platform counts it. */
export const socialTextCounters: Readonly<Record<SocialPlatform, (text: string) => number>> = {
  twitter: countXPostCharacters,
  facebook: countCodePoints,
  instagram: countCodePoints,
  linkedin: countCodePoints,
  threads: countThreads,
  mastodon: countMastodon,
  bluesky: countBluesky,
};
