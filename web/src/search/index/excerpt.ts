import type { HighlightRange } from '../../chat/words/text/needles.ts';

/** Maximum characters of an excerpt, and characters before its first match. */
const maxLength = 160;
const lengthBeforeMatch = 40;

/**
 * Returns one line of text around the first match. It begins at a word boundary if one is near.
 *
 * @param before maximum characters before the match. Use fewer for short lines, which then show the match
 */
export function excerptOf(
  text: string,
  highlights: readonly HighlightRange[],
  before = lengthBeforeMatch,
): { excerpt: string; highlights: readonly HighlightRange[] } {
  const first = highlights[0]?.[0] ?? 0;
  const last = highlights[0]?.[1] ?? 0;
  let start = Math.max(0, first - before);
  if (start > 0) {
    const space = text.slice(start, first).search(/\s/u);
    // If a long word precedes the match, its end is shown rather than nothing.
    if (space !== -1 && start + space + 1 < first) start += space + 1;
  }
  let end = Math.min(text.length, Math.max(start + maxLength, last));
  if (isInPair(text, start)) start -= 1;
  if (isInPair(text, end)) end += 1;
  const lead = start > 0 ? '…' : '';
  const excerpt = `${lead}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
  const shift = lead.length - start;
  const inside = highlights.flatMap(([from, to]): HighlightRange[] =>
    from >= start && from < end ? [[from + shift, Math.min(to, end) + shift]] : [],
  );
  // Replaces each whitespace character with one space, so that the marks stay in place.
  return { excerpt: excerpt.replaceAll(/\s/gu, ' '), highlights: inside };
}

/** Returns true if the position splits a surrogate pair. */
function isInPair(text: string, place: number): boolean {
  const unit = text.charCodeAt(place);
  return place > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}
