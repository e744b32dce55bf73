import app from '../../locales/en/app.json' with { type: 'json' };
import type { Catalogue, OtherLanguage } from './texts.ts';

/** Splits a sentence into text to change and {{placeholders}} to keep. */
function mapText(sentence: string, change: (text: string) => string): string {
  return sentence
    .split(/(\{\{?[^}]*\}?\})/)
    .map((segment) => (segment.startsWith('{') ? segment : change(segment)))
    .join('');
}

const arabicLetters = 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي';

/** Maps each Latin letter to an Arabic one, so that right-to-left direction and shaping are real. */
export function toPseudoArabic(sentence: string): string {
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

/**
 * Pseudo-translation, generated from English. It shows right-to-left layout errors before a real translation exists.
 */
export const pseudoArabic: OtherLanguage = {
  app: translateCatalogue(app, toPseudoArabic),
  load: (_namespace, english) => translateCatalogue(english, toPseudoArabic),
};
