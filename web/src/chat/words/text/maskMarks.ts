import { findLinks, wordCharacter } from '@nolo/rules';

/** Characters that can be markup, and the Unicode noncharacters that replace them during parsing. */
const marks = '*_~`[]\\>';
const firstMask = 0xfdd0;
const anyMark = /[*_~`[\]\\>]/gu;
const anyMask = /[\ufdd0-\ufdd7]/gu;
/** Marks between two word characters, as in 2*3*4. */
const between = new RegExp(String.raw`(?<=${wordCharacter})[*~]+(?=${wordCharacter})`, 'gu');

/** Returns the text at the same length, with all markup characters masked. */
export const maskAll = (text: string): string =>
  text.replace(anyMark, (mark) => String.fromCharCode(firstMask + marks.indexOf(mark)));

/** Returns the text with its masked characters restored. */
export const unmask = (text: string): string =>
  text.replace(anyMask, (mask) => marks.charAt(mask.charCodeAt(0) - firstMask));

/** Masks what looks like markup but is not: characters of URLs, and marks inside a word. */
export function maskMarks(text: string): string {
  return findLinks(text.replace(anyMask, '\ufffd'))
    .map((part) => (part.href === null ? part.text : maskAll(part.text)))
    .join('')
    .replace(between, maskAll);
}
