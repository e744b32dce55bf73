import { removePiledMarks } from './names.ts';

/*
 * Shared folding of names and words, for everything that searches, mentions, highlights, or sorts them, on devices and
 * in services. Databases never fold: their rules differ from these, and change with the locale.
 */

/**
 * Scripts whose marks are accents or optional vowels. Elsewhere, marks that count as alphabetic are letters of the
 * word.
 */
const accented = ['Latin', 'Greek', 'Cyrillic', 'Hebrew', 'Arabic', 'Syriac']
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');

/**
 * Marks, except vowel signs (as in Devanagari and Thai) and the voicing marks of kana, which distinguish words, and
 * except the iota subscript (U+0345), which full case folding turns into an iota.
 */
const combiningMarks = `(?!\\u0345)(?:(?=[${accented}])|(?![\\p{Alphabetic}\\u3099\\u309a]))\\p{M}`;

/** Invisible characters (soft hyphen, joiners, direction controls, variation selectors), and the Arabic elongation. */
const invisible = String.raw`[\p{Default_Ignorable_Code_Point}\u0640]`;

const dropped = new RegExp(`${combiningMarks}|${invisible}`, 'gu');

/** Letters that are typed interchangeably, and that neither decomposition nor case mapping makes equal. */
const alike: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ς: 'σ',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
};
const replaced = new RegExp(`[${Object.keys(alike).join('')}]`, 'gu');

const plain = /^[\u0000-\u007f]*$/u;

/**
 * Returns the text in the form for comparison: compatibility decomposition, without marks and invisible characters,
 * with full case folding. Idempotent.
 */
export function foldText(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  return removePiledMarks(
    removePiledMarks(text.replace(dropped, ''))
      .normalize('NFKD')
      // JavaScript has no case folding. Lower case comes first, because ẞ has no other upper case; upper case expands
      // ß.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .normalize('NFKD')
      .replace(dropped, ''),
  ).replace(replaced, (letter) => alike[letter] ?? letter);
}

/** Letter with its marks and the invisible characters after it, which fold together. */
const letters =
  /[^\p{M}\p{Default_Ignorable_Code_Point}][\p{M}\p{Default_Ignorable_Code_Point}]*|[\p{M}\p{Default_Ignorable_Code_Point}]+/gu;

export interface FoldedText {
  readonly text: string;
  /** Start of the original letter, for each code unit of the folded text. */
  readonly starts: readonly number[];
  /** End of the original letter, for each code unit of the folded text. */
  readonly ends: readonly number[];
}

/** Folds a text and records where each part of the result comes from: folding may change the length. */
export function foldTextWithOffsets(original: string): FoldedText {
  let text = '';
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: letter, index } of original.matchAll(letters)) {
    const folded = foldText(letter);
    text += folded;
    for (let unit = 0; unit < folded.length; unit += 1) {
      starts.push(index);
      ends.push(index + letter.length);
    }
  }
  return { text, starts, ends };
}

/** Compares by code points, which is the order of UTF-8 and therefore of `collate "C"` in PostgreSQL. */
function compareCodePoints(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  for (let place = 0; place < Math.min(a.length, b.length); place += 1) {
    const difference = (a[place]?.codePointAt(0) ?? 0) - (b[place]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Compares two names for sorting: by their folded text, then by the original text. */
export function compareNames(one: string, other: string): number {
  return compareCodePoints(foldText(one), foldText(other)) || compareCodePoints(one, other);
}
