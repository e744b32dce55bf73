import { findLinks, wordCharacter } from '@nolo/rules';

/** Characters that can be markup, and the noncharacters of Unicode that take their places while a text is taken apart. */
const marks = '*_~`[]\\>';
const firstMask = 0xfdd0;
const anyMark = /[*_~`[\]\\>]/gu;
const anyMask = /[\ufdd0-\ufdd7]/gu;
/** Between two words, as in 2*3*4. */
const between = new RegExp(String.raw`(?<=${wordCharacter})[*~]+(?=${wordCharacter})`, 'gu');

/** The same text, of the same length, in which no character is markup. */
export const maskAll = (text: string): string =>
  text.replace(anyMark, (mark) => String.fromCharCode(firstMask + marks.indexOf(mark)));

/** The text as it was before its marks were masked. */
export const unmask = (text: string): string =>
  text.replace(anyMask, (mask) => marks.charAt(mask.charCodeAt(0) - firstMask));

/** Masks what looks like markup and is none: characters of addresses, and marks in the middle of a word. */
export function maskMarks(text: string): string {
  return findLinks(text.replace(anyMask, '\ufffd'))
    .map((part) => (part.href === null ? part.text : maskAll(part.text)))
    .join('')
    .replace(between, maskAll);
}
