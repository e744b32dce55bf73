import { splitTextAtLinks, wordCharacterPattern } from '@nolo/rules';

/** Characters that can be markup, and the Unicode noncharacters that replace them during parsing. */
const markupCharacters = '*_~`[]\\>';
const firstMask = 0xfdd0;
const anyMarkupCharacter = /[*_~`[\]\\>]/gu;
const anyMask = /[\ufdd0-\ufdd7]/gu;
/** Marks between two word characters, as in 2*3*4. */
const between = new RegExp(String.raw`(?<=${wordCharacterPattern})[*~]+(?=${wordCharacterPattern})`, 'gu');

/** Returns the text at the same length, with all markup characters masked. */
export const maskMarkup = (text: string): string =>
  text.replace(anyMarkupCharacter, (character) => String.fromCharCode(firstMask + markupCharacters.indexOf(character)));

export const unmaskMarkup = (text: string): string =>
  text.replace(anyMask, (mask) => markupCharacters.charAt(mask.charCodeAt(0) - firstMask));

/** Masks what looks like markup but is not: characters of URLs, and marks inside a word. */
export function maskMarkupInUrlsAndWords(text: string): string {
  return splitTextAtLinks(text.replace(anyMask, '\ufffd'))
    .map((segment) => (segment.href === null ? segment.text : maskMarkup(segment.text)))
    .join('')
    .replace(between, maskMarkup);
}
