import { foldText, foldWithPlaces, type Folded } from '@nolo/rules';
import { isWordEnd, isWordStart, splitIntoTermSources } from './terms.ts';

/* Search terms and their positions in a text. Every term must occur. */

/** Possible spelling of a term. */
export interface NeedleSpelling {
  /** Folded text. */
  readonly text: string;
  /** True if the letters stand for an umlaut (`ue`), so that only words with one match. */
  readonly umlaut: boolean;
  /** True if it matches whole words only, not prefixes. */
  readonly whole: boolean;
}

export interface SearchNeedle {
  readonly spellings: readonly NeedleSpelling[];
  /** True for a word. A run of a script without spaces may match anywhere. */
  readonly spaced: boolean;
}

const transliterated: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'ae', Ö: 'oe', Ü: 'ue' };
const umlauts = /[äöüÄÖÜ]/gu;
const arabic = /^\p{Script=Arabic}/u;
/** Arabic prefixes: the, and the, with the, for the. */
const articles = ['ال', 'وال', 'بال', 'لل'];

function spellingsOf(word: string): NeedleSpelling[] {
  const spelling = (text: string, umlaut = false): NeedleSpelling => ({ text, umlaut, whole: false });
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
const maxNeedles = 12;

export function parseNeedles(typed: string): SearchNeedle[] {
  const written = typed.normalize('NFC');
  const long = splitIntoTermSources(
    foldText(written.replaceAll(umlauts, (letter) => transliterated[letter] ?? letter)),
  );
  const needles = splitIntoTermSources(foldText(written)).map(({ text, spaced }, place): SearchNeedle => {
    if (!spaced) return { spellings: [{ text, umlaut: false, whole: false }], spaced };
    const spellings = spellingsOf(text);
    const other = long[place]?.text;
    if (other !== undefined && other !== text) spellings.push({ text: other, umlaut: false, whole: false });
    return { spellings, spaced };
  });
  return needles.slice(0, maxNeedles);
}

/** Converts folded words from a found text to needles. */
export function toSearchNeedles(words: readonly string[]): SearchNeedle[] {
  return words.map((text) => {
    const [first, ...others] = splitIntoTermSources(text);
    const spaced = first?.spaced === true && others.length === 0;
    return { spellings: [{ text, umlaut: false, whole: false }], spaced };
  });
}

/** Calls `found` for each position of the spelling in a folded text, until it returns false. */
export function forEachMatch(
  folded: string,
  { text, whole }: NeedleSpelling,
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
export type HighlightRange = readonly [start: number, end: number];

function findNeedleRanges(needle: SearchNeedle, original: string, { text, starts, ends }: Folded): HighlightRange[] {
  const highlights: HighlightRange[] = [];
  for (const spelling of needle.spellings) {
    forEachMatch(text, spelling, needle.spaced, (place) => {
      const start = starts[place] ?? 0;
      const end = ends[place + spelling.text.length - 1] ?? original.length;
      const meant = !spelling.umlaut || /[äöü]/iu.test(original.slice(start, end).normalize('NFC'));
      if (meant) highlights.push([start, end]);
      return true;
    });
  }
  return highlights;
}

/** Sorts marks and merges overlapping ones. */
function merged(highlights: readonly HighlightRange[]): HighlightRange[] {
  const result: HighlightRange[] = [];
  for (const [start, end] of highlights.toSorted(([a], [b]) => a - b)) {
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
export function findHighlights(
  original: string,
  needles: readonly SearchNeedle[],
  some = false,
): HighlightRange[] | null {
  const folded = foldWithPlaces(original);
  const each = needles.map((needle) => findNeedleRanges(needle, original, folded));
  if (!some && each.some((highlights) => highlights.length === 0)) return null;
  return merged(each.flat());
}
