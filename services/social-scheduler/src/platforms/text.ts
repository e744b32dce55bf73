const links = /https?:\/\/[^\s<>"']+/gu;

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
