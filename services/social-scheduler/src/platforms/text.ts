const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Unicode characters, as most platforms count. */
export const countCharacters = (text: string): number => [...text.normalize('NFC')].length;

/** What a person sees as one sign, as Bluesky counts. */
export const countGraphemes = (text: string): number => [...graphemes.segment(text)].length;

const links = /https?:\/\/[^\s<>"']+/gu;

/**
 * As Mastodon counts: every link is 23 characters long, whatever its length.
 * https://docs.joinmastodon.org/user/posting/#text
 */
export const countMastodon = (text: string): number => countCharacters(text.replace(links, 'x'.repeat(23)));

/** What X counts once; everything else counts twice. https://docs.x.com/fundamentals/counting-characters */
const single = [
  [0x0000, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
] as const;

/** As X counts: links are 23, emoji 2, and signs outside of the ranges above 2. */
export function countX(text: string): number {
  let count = 0;
  for (const { segment } of graphemes.segment(text.normalize('NFC').replace(links, 'x'.repeat(23)))) {
    if (/\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(segment) && !/^[\d#*©®]$/u.test(segment)) count += 2;
    else for (const sign of segment) count += weigh(sign.codePointAt(0) ?? 0);
  }
  return count;
}

const weigh = (code: number): number => (single.some(([from, to]) => code >= from && code <= to) ? 1 : 2);

/** Links in a text, with the places of their bytes in UTF-8, as facets of the AT protocol want them. */
export function linksOf(text: string): { address: string; start: number; end: number }[] {
  return [...text.matchAll(links)].map((match) => {
    const address = match[0].replace(/[.,;:!?)]+$/u, '');
    const start = Buffer.byteLength(text.slice(0, match.index));
    return { address, start, end: start + Buffer.byteLength(address) };
  });
}

const plain = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim();

/** Whether two texts are the same to a person: platforms change white space. */
export const sameText = (one: string, other: string): boolean => plain(one) === plain(other);

/** The text of a post that came back as markup. */
export function textOfHtml(markup: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'", nbsp: ' ' };
  return markup
    .replace(/<br\s*\/?>/giu, '\n')
    .replace(/<\/p>\s*<p[^>]*>/giu, '\n\n')
    .replace(/<[^>]*>/gu, '')
    .replace(/&(#?\w+);/gu, (whole, name: string) => entities[name] ?? whole);
}
