import { splitTextAtLinks } from '@nolo/rules';

/** Finds web links and their byte offsets in UTF-8, as facets of the AT protocol require. */
export function findLinkByteRanges(text: string): { address: string; start: number; end: number }[] {
  const links: { address: string; start: number; end: number }[] = [];
  let start = 0;
  for (const { text: segment, href } of splitTextAtLinks(text)) {
    const end = start + Buffer.byteLength(segment);
    if (href?.startsWith('http') === true) links.push({ address: href, start, end });
    start = end;
  }
  return links;
}

const plain = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim();

/** Returns whether two texts look equal to a person. Platforms change white space. */
export const isSameText = (one: string, other: string): boolean => plain(one) === plain(other);

/** Extracts the text of a post from its markup. */
export function extractTextFromHtml(markup: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'", nbsp: ' ' };
  return markup
    .replace(/<br\s*\/?>/giu, '\n')
    .replace(/<\/p>\s*<p[^>]*>/giu, '\n\n')
    .replace(/<[^>]*>/gu, '')
    .replace(/&(#?\w+);/gu, (whole, name: string) => entities[name] ?? whole);
}
