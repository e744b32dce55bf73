export type TextUnit = 'utf16' | 'codePoints' | 'graphemes' | 'bytes';

const measures: Readonly<Record<TextUnit, (text: string) => number>> = {
  utf16: (text) => text.length,
  codePoints: (text) => [...text].length,
  graphemes: (text) => (text === '' ? 0 : 1),
  bytes: (text) => new TextEncoder().encode(text).length,
};

/** Texts in which each character is one grapheme (CR LF is a single grapheme, so CR is missing). */
const simple = /^[\n\x20-\x7e]*$/;

let segmenter: Intl.Segmenter | undefined;

/** Splits a text into graphemes, the characters that a reader sees: an emoji of several code points is one. */
export function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** Same as `String.toWellFormed`, which some supported browsers lack: U+FFFD replaces each lone surrogate. */
export const toWellFormedText = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd');

/** Returns the length of the longest prefix of `text` that fits and ends between two `pieces`. */
function fittingLength(pieces: Iterable<string>, maxSize: number, measure: (text: string) => number): number {
  let [length, size] = [0, 0];
  for (const piece of pieces) {
    size += measure(piece);
    if (size > maxSize) break;
    length += piece.length;
  }
  return length;
}

function* textsOf(segments: Intl.Segments): Iterable<string> {
  for (const { segment } of segments) yield segment;
}

/**
 * Returns the beginning of a user's text, at most `maxSize` units long. Never ends inside a grapheme, so no half of a
 * surrogate pair and no part of an emoji remains, and the result can always be encoded. Only a first grapheme longer
 * than the limit is cut between its code points.
 */
export function cutText(text: string, maxSize: number, unit: TextUnit = 'utf16'): string {
  // Graphemes are at least one unit, so most texts need no segmentation.
  if (text.length <= maxSize && unit !== 'bytes') return toWellFormedText(text);
  const beginning = text.slice(0, maxSize); // Cuts: only used if every character is ASCII
  if (simple.test(beginning) && simple.test(text.charAt(maxSize))) return beginning;
  const measure = measures[unit];
  const whole = toWellFormedText(text);
  const length = fittingLength(textsOf(graphemesOf(whole)), maxSize, measure);
  return whole.slice(0, length > 0 || unit === 'graphemes' ? length : fittingLength(whole, maxSize, measure));
}
