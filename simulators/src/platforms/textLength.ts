import twitter from 'twitter-text';

/*
 * Length of a text on each platform. The rules here come from the platforms' documents and their own libraries, never
 * from Nolo's rules: otherwise a wrong rule would be wrong on both sides, and no test could detect it.
 */

const graphemesOf = (text: string): string[] =>
  Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment);

/** https://docs.x.com/fundamentals/counting-characters, which refers to twitter-text. */
export const xLength = (text: string): number => twitter.parseTweet(text).weightedLength;

const isEmoji = (grapheme: string): boolean =>
  /[\p{Emoji_Presentation}\p{Regional_Indicator}\u20e3]|\p{Emoji}\ufe0f|(?![©®])\p{Extended_Pictographic}/u.test(
    grapheme,
  );

/**
 * "Emojis are counted as the number of UTF-8 bytes they contain." https://developers.facebook.com/docs/threads/overview
 */
export function threadsLength(text: string): number {
  return graphemesOf(text.normalize('NFC')).reduce(
    (sum, grapheme) => sum + (isEmoji(grapheme) ? Buffer.byteLength(grapheme) : [...grapheme].length),
    0,
  );
}

/**
 * The lexicon of posts: `maxLength` in bytes of UTF-8 and `maxGraphemes`.
 * https://docs.bsky.app/docs/advanced-guides/posts
 */
export const fitsBluesky = (text: string): boolean =>
  Buffer.byteLength(text) <= 3_000 && graphemesOf(text).length <= 300;

/**
 * Counts every link as 23, and a remote mention without its domain. https://docs.joinmastodon.org/user/posting/#text
 */
export function mastodonLength(text: string): number {
  const { extractUrlsWithIndices } = twitter;
  let countable = text;
  for (const { indices } of extractUrlsWithIndices(text, { extractUrlsWithoutProtocol: false }).toReversed()) {
    countable = `${countable.slice(0, indices[0])}${'x'.repeat(23)}${countable.slice(indices[1])}`;
  }
  return graphemesOf(countable.replace(/(^|[^/\w])@(\w+)@[\w.-]+\w/gu, '$1@$2')).length;
}
