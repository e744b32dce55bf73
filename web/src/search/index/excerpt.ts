import type { Mark } from '../../chat/words/text/needles.ts';

/** So many characters are shown of a message, and so many of them before the first word that was found. */
const most = 160;
const usuallyBefore = 40;

/**
 * A part of the text with the first mark in it, in one line; it begins between words where one begins near.
 *
 * @param before how many characters stand before the mark at most; fewer where the line is short, which then shows the mark
 */
export function excerptOf(
  text: string,
  marks: readonly Mark[],
  before = usuallyBefore,
): { excerpt: string; marks: readonly Mark[] } {
  const first = marks[0]?.[0] ?? 0;
  const last = marks[0]?.[1] ?? 0;
  let start = Math.max(0, first - before);
  if (start > 0) {
    const space = text.slice(start, first).search(/\s/u);
    // Of a long word right before the mark, its end is shown rather than nothing.
    if (space !== -1 && start + space + 1 < first) start += space + 1;
  }
  let end = Math.min(text.length, Math.max(start + most, last));
  if (isInPair(text, start)) start -= 1;
  if (isInPair(text, end)) end += 1;
  const lead = start > 0 ? '…' : '';
  const excerpt = `${lead}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
  const shift = lead.length - start;
  const inside = marks.flatMap(([from, to]): Mark[] =>
    from >= start && from < end ? [[from + shift, Math.min(to, end) + shift]] : [],
  );
  // One white space for another, so that the marks stay where they are.
  return { excerpt: excerpt.replaceAll(/\s/gu, ' '), marks: inside };
}

/** Whether a character stands half before this place. */
function isInPair(text: string, place: number): boolean {
  const unit = text.charCodeAt(place);
  return place > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}
