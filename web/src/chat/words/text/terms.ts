/*
 * What a folded text is made of. Scripts that put no space between words are taken apart the same way by every browser:
 * Han by its signs, the others by pairs of letters. A dictionary of words, as `Intl.Segmenter` has one, divides a text and
 * a part of it differently, and another version of it differently again.
 */

const unspacedScripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const classOf = (scripts: readonly string[]): string => scripts.map((script) => `\\p{Script=${script}}`).join('');

const han = /\p{Script=Han}/u;
/** The lengthening mark and the sound marks of Kana belong to no script of their own. */
const unspacedLetters = `${classOf(unspacedScripts)}\\u30fc\\u3099\\u309a`;
const unspacedRun = new RegExp(`[${unspacedLetters}]+|[^${unspacedLetters}]+`, 'gu');
const unspacedStart = new RegExp(`^[${unspacedLetters}]`, 'u');
const words = /[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic}/gu;
const wordLetter = /[\p{L}\p{N}\p{M}]/u;

/** Below this no letter belongs to a script without spaces. */
const firstUnspaced = '\u0e00';

/** A longer word is known by its beginning: what is that long is an address, or a key. */
export const longestTerm = 24;

/** A word, a run of a script that puts no space between words, or a picture, which needs none either. */
export interface Piece {
  readonly text: string;
  readonly spaced: boolean;
}

function mayHoldUnspaced(word: string): boolean {
  for (const letter of word) if (letter >= firstUnspaced) return true;
  return false;
}

export function piecesOf(folded: string): Piece[] {
  const pieces: Piece[] = [];
  for (const [word] of folded.matchAll(words)) {
    if (!wordLetter.test(word)) pieces.push({ text: word, spaced: false });
    else if (!mayHoldUnspaced(word)) pieces.push({ text: word, spaced: true });
    else for (const [text] of word.matchAll(unspacedRun)) pieces.push({ text, spaced: !unspacedStart.test(text) });
  }
  return pieces;
}

/** The terms under which a piece is kept. */
export function termsOfPiece({ text, spaced }: Piece): string[] {
  // Cuts: a search term, which the index and the query cut at the same place.
  if (spaced) return [text.slice(0, longestTerm)];
  const terms: string[] = [];
  const signs = [...text];
  for (const [place, sign] of signs.entries()) {
    const next = signs[place + 1];
    if (han.test(sign)) terms.push(sign);
    else terms.push(next === undefined || han.test(next) ? sign : sign + next);
  }
  return terms;
}

/** Whether a word may begin at this place of a folded text: nothing that it could belong to stands before it. */
export function isWordStart(folded: string, place: number): boolean {
  if (place === 0) return true;
  const before = folded.codePointAt(place - (isLowSurrogate(folded, place - 1) && place > 1 ? 2 : 1));
  const letter = String.fromCodePoint(before ?? 32);
  return !wordLetter.test(letter) || unspacedStart.test(letter);
}

/** Whether a word may end before this place. */
export function isWordEnd(folded: string, place: number): boolean {
  const after = folded.codePointAt(place);
  if (after === undefined) return true;
  const letter = String.fromCodePoint(after);
  return !wordLetter.test(letter) || unspacedStart.test(letter);
}

function isLowSurrogate(text: string, place: number): boolean {
  const unit = text.charCodeAt(place);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
