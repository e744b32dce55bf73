import { foldText, foldWithPlaces, type Folded } from '@nolo/rules';
import { isWordEnd, isWordStart, piecesOf } from './terms.ts';

/* Search terms and their positions in a text. Every term must occur. */

/** Possible spelling of a term. */
export interface Spelling {
  /** Folded text. */
  readonly text: string;
  /** True if the letters stand for an umlaut (`ue`), so that only words with one match. */
  readonly umlaut: boolean;
  /** True if it matches whole words only, not prefixes. */
  readonly whole: boolean;
}

export interface Needle {
  readonly spellings: readonly Spelling[];
  /** True for a word. A run of a script without spaces may match anywhere. */
  readonly spaced: boolean;
}

const transliterated: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'ae', Ö: 'oe', Ü: 'ue' };
const umlauts = /[äöüÄÖÜ]/gu;
const arabic = /^\p{Script=Arabic}/u;
/** Arabic prefixes: the, and the, with the, for the. */
const articles = ['ال', 'وال', 'بال', 'لل'];

function spellingsOf(word: string): Spelling[] {
  const spelling = (text: string, umlaut = false): Spelling => ({ text, umlaut, whole: false });
  const found = [spelling(word)];
  const short = word.replaceAll(/([aou])e/gu, '$1');
  if (short !== word && short !== '') found.push(spelling(short, true));
  if (arabic.test(word)) {
    found.push(...articles.map((article) => spelling(article + word)));
    if (word.startsWith('ال') && word.length > 4) found.push(spelling(word.slice(2)));
  }
  return found;
}

/** Maximum terms, so that a pasted page does not slow down the search. */
const mostNeedles = 12;

export function needlesOf(typed: string): Needle[] {
  const written = typed.normalize('NFC');
  const long = piecesOf(foldText(written.replaceAll(umlauts, (letter) => transliterated[letter] ?? letter)));
  const needles = piecesOf(foldText(written)).map(({ text, spaced }, place): Needle => {
    if (!spaced) return { spellings: [{ text, umlaut: false, whole: false }], spaced };
    const spellings = spellingsOf(text);
    const other = long[place]?.text;
    if (other !== undefined && other !== text) spellings.push({ text: other, umlaut: false, whole: false });
    return { spellings, spaced };
  });
  return needles.slice(0, mostNeedles);
}

/** Converts folded words from a found text to needles. */
export function writtenNeedles(words: readonly string[]): Needle[] {
  return words.map((text) => {
    const [first, ...others] = piecesOf(text);
    const spaced = first?.spaced === true && others.length === 0;
    return { spellings: [{ text, umlaut: false, whole: false }], spaced };
  });
}

/** Calls `found` for each position of the spelling in a folded text, until it returns false. */
export function eachPlace(
  folded: string,
  { text, whole }: Spelling,
  spaced: boolean,
  found: (start: number) => boolean,
): void {
  for (let start = folded.indexOf(text); start !== -1; start = folded.indexOf(text, start + 1)) {
    if (spaced && !isWordStart(folded, start)) continue;
    if (whole && !isWordEnd(folded, start + text.length)) continue;
    if (!found(start)) return;
  }
}

/** Range in code units. */
export type Mark = readonly [start: number, end: number];

function marksOf(needle: Needle, original: string, { text, starts, ends }: Folded): Mark[] {
  const marks: Mark[] = [];
  for (const spelling of needle.spellings) {
    eachPlace(text, spelling, needle.spaced, (place) => {
      const start = starts[place] ?? 0;
      const end = ends[place + spelling.text.length - 1] ?? original.length;
      const meant = !spelling.umlaut || /[äöü]/iu.test(original.slice(start, end).normalize('NFC'));
      if (meant) marks.push([start, end]);
      return true;
    });
  }
  return marks;
}

/** Sorts marks and merges overlapping ones. */
function merged(marks: readonly Mark[]): Mark[] {
  const result: Mark[] = [];
  for (const [start, end] of marks.toSorted(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last && start <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], end)];
    else result.push([start, end]);
  }
  return result;
}

/**
 * Returns the positions of the needles in a text, or null if one is missing. With `some`, for a part of a text, returns
 * those that occur.
 */
export function findMarks(original: string, needles: readonly Needle[], some = false): Mark[] | null {
  const folded = foldWithPlaces(original);
  const each = needles.map((needle) => marksOf(needle, original, folded));
  if (!some && each.some((marks) => marks.length === 0)) return null;
  return merged(each.flat());
}
