/*
 * Words are found whatever their case, accents and forms: `fold` makes of them what is compared. It works letter by letter
 * (a letter with the marks that stand on it), so that what is found in the folded text is found again in the text itself.
 */

/**
 * Marks of Latin, Greek and Cyrillic letters, the vowels of Hebrew and Arabic, the stroke that lengthens Arabic words, and
 * what says how a sign is drawn.
 */
const dropped =
  // oxlint-disable-next-line no-misleading-character-class -- the marks themselves are meant
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\ufe00-\ufe0f]/gu;

/** Letters that no decomposition makes of others, and Arabic ones that are written for each other. */
const alike: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
};
const replaced = new RegExp(`[${Object.keys(alike).join('')}]`, 'gu');

const plain = /^[\u0000-\u007f]*$/u;

export function fold(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(dropped, '')
    .toLowerCase()
    .replace(dropped, '')
    .replace(replaced, (letter) => alike[letter] ?? letter);
}

/** A letter with its marks, or marks that stand alone. */
const letters = /\P{M}\p{M}*|\p{M}+/gu;

export interface Folded {
  readonly text: string;
  /** For each code unit of the folded text where its letter begins in the original, and where it ends. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** The same as `fold`, with the way back. */
export function foldWithPlaces(original: string): Folded {
  let text = '';
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: letter, index } of original.matchAll(letters)) {
    const made = fold(letter);
    text += made;
    for (let unit = 0; unit < made.length; unit += 1) {
      starts.push(index);
      ends.push(index + letter.length);
    }
  }
  return { text, starts, ends };
}
