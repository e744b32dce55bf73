/**
 * Pseudo-translations: made from English by a rule, they show before any real translation exists
 * where a layout has no room for longer words, and where it forgets that some read from the right.
 */
export type Catalogue = { readonly [key: string]: string | Catalogue };

const accents: Record<string, string> = {
  a: 'ä',
  e: 'é',
  o: 'ö',
  u: 'ü',
  s: 'ß',
  A: 'Ä',
  O: 'Ö',
  U: 'Ü',
};
const padding = 'Verhältnismäßigkeit und Prüfungsordnung ';

/** Splits a sentence into words to change and {{placeholders}} to leave alone. */
function mapText(sentence: string, change: (text: string) => string): string {
  return sentence
    .split(/(\{\{?[^}]*\}?\})/)
    .map((part) => (part.startsWith('{') ? part : change(part)))
    .join('');
}

/** German length: accented, and some 40 % longer. */
export function lengthen(sentence: string): string {
  const accented = mapText(sentence, (text) => text.replace(/[aeousAOU]/g, (letter) => accents[letter] ?? letter));
  const missing = Math.ceil(sentence.length * 0.4);
  let tail = '';
  while (tail.length < missing) tail += padding;
  return `${accented} ${tail.slice(0, Math.max(missing - 1, 1))}`;
}

const arabicLetters = 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي';

/** Right to left: each Latin letter becomes an Arabic one, so direction and shaping are real. */
export function mirror(sentence: string): string {
  return mapText(sentence, (text) =>
    text.replace(/[a-z]/gi, (letter) => {
      const index = (letter.toLowerCase().codePointAt(0) ?? 97) - 97;
      return arabicLetters[index] ?? letter;
    }),
  );
}

/** Applies a rule to every sentence of a catalogue. */
export function translateCatalogue(catalogue: Catalogue, rule: (sentence: string) => string): Catalogue {
  return Object.fromEntries(
    Object.entries(catalogue).map(([key, value]) => [
      key,
      typeof value === 'string' ? rule(value) : translateCatalogue(value, rule),
    ]),
  );
}
