/*
 * Terms of a folded text. Scripts without spaces between words are split the same way in every browser: Han by
 * characters, the others by pairs of letters. A word dictionary, such as that of `Intl.Segmenter`, splits a text
 * differently from a part of it, and changes between versions.
 */

const unspacedScripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const classOf = (scripts: readonly string[]): string => scripts.map((script) => `\\p{Script=${script}}`).join('');

const han = /\p{Script=Han}/u;
/** Kana's prolonged sound mark and voicing marks belong to no script of their own. */
const unspacedLetters = `${classOf(unspacedScripts)}\\u30fc\\u3099\\u309a`;
const unspacedRun = new RegExp(`[${unspacedLetters}]+|[^${unspacedLetters}]+`, 'gu');
const unspacedStart = new RegExp(`^[${unspacedLetters}]`, 'u');
const words = /[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic}/gu;
const wordLetter = /[\p{L}\p{N}\p{M}]/u;

/** Lowest letter of any script without spaces. */
const firstUnspaced = '\u0e00';

/** Maximum term length. Longer words, such as URLs or keys, are found by their beginning. */
export const maxTermLength = 24;

/** Word, run of a script without spaces between words, or emoji, which needs no spaces either. */
export interface TermSource {
  readonly text: string;
  readonly spaced: boolean;
}

function mayHoldUnspaced(word: string): boolean {
  for (const letter of word) if (letter >= firstUnspaced) return true;
  return false;
}

export function splitIntoTermSources(folded: string): TermSource[] {
  const pieces: TermSource[] = [];
  for (const [word] of folded.matchAll(words)) {
    if (!wordLetter.test(word)) pieces.push({ text: word, spaced: false });
    else if (!mayHoldUnspaced(word)) pieces.push({ text: word, spaced: true });
    else for (const [text] of word.matchAll(unspacedRun)) pieces.push({ text, spaced: !unspacedStart.test(text) });
  }
  return pieces;
}

/** Returns the index terms of a piece. */
export function toSearchTerms({ text, spaced }: TermSource): string[] {
  // Cuts: search terms, at the same position in index and query.
  if (spaced) return [text.slice(0, maxTermLength)];
  const terms: string[] = [];
  const signs = [...text];
  for (const [place, sign] of signs.entries()) {
    const next = signs[place + 1];
    if (han.test(sign)) terms.push(sign);
    else terms.push(next === undefined || han.test(next) ? sign : sign + next);
  }
  return terms;
}

/** Returns true if a word may begin at this position of a folded text, because no word character precedes it. */
export function isWordStart(folded: string, place: number): boolean {
  if (place === 0) return true;
  const before = folded.codePointAt(place - (isLowSurrogate(folded, place - 1) && place > 1 ? 2 : 1));
  const letter = String.fromCodePoint(before ?? 32);
  return !wordLetter.test(letter) || unspacedStart.test(letter);
}

/** Returns true if a word may end before this position. */
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
