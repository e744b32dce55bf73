import fc from 'fast-check';
import { foldText } from '@nolo/rules';
import { findHighlights, parseNeedles } from './needles.ts';
import { splitIntoTermSources, toSearchTerms } from './terms.ts';

const isFound = (text: string, typed: string): boolean => findHighlights(text, parseNeedles(typed)) !== null;
const highlightedTexts = (text: string, typed: string): string[] =>
  (findHighlights(text, parseNeedles(typed)) ?? []).map(([start, end]) => text.slice(start, end));

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme-composite' }),
);

test('any text is found by all of it and by the start of each of its words', () => {
  fc.assert(
    fc.property(text, (original) => {
      const pieces = splitIntoTermSources(foldText(original)).slice(0, 12);
      fc.pre(pieces.length > 0);
      for (const piece of pieces) expect(isFound(original, piece.text)).toBe(true);
    }),
  );
});

test('a part of a run without spaces has only terms of the run, or the start of one', () => {
  const run = fc.string({
    unit: fc.constantFrom(...Array.from('東京大学カタひらがのはบทไทย')),
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(run, fc.nat(), fc.nat(), (whole, a, b) => {
      const signs = [...whole];
      const [from, to] = [a % signs.length, b % signs.length].toSorted((x, y) => x - y) as [number, number];
      const excerpt = signs.slice(from, to + 1).join('');
      const all = splitIntoTermSources(whole).flatMap(toSearchTerms);
      for (const term of splitIntoTermSources(excerpt).flatMap(toSearchTerms)) {
        expect(all.some((one) => one === term || ([...term].length === 1 && one.startsWith(term)))).toBe(true);
      }
    }),
  );
});

test.each([
  ['Müller kommt', 'muller', ['Müller']],
  ['Müller kommt', 'mueller', ['Müller']],
  ['Mueller kommt', 'Müller', ['Mueller']],
  ['Straße 5', 'strasse', ['Straße']],
  ['GRÖSSE', 'größe', ['GRÖSSE']],
  ['Café crème', 'cafe creme', ['Café', 'crème']],
  ['smørrebrød', 'smorre', ['smørre']],
  ['اَلْكِتَابُ هنا', 'كتاب', ['اَلْكِتَابُ']],
  ['أحمد وإبراهيم', 'احمد', ['أحمد']],
  ['مدرســـة', 'مدرسه', ['مدرســـة']],
  ['我在东京大学读书', '京大', ['京大']],
  ['ラーメンを食べる', '食べ', ['食べ']],
  ['한국어를 배워요', '한국', ['한국']],
  ['Budget_2026-10.xlsx', '2026', ['2026']],
  ['Look: https://example.org/a', 'example', ['example']],
  ['one 🎉 two', '🎉', ['🎉']],
  ['İpek is here', 'ipek', ['İpek']],
  ['ΣΊΣΥΦΟΣ', 'σίσυφος', ['ΣΊΣΥΦΟΣ']],
  ['Donau\u00addampf\u00adschiff', 'dampfschiff', []],
  ['Donau\u00addampf\u00adschiff', 'donaudampf', ['Donau\u00addampf\u00ad']],
  ['می\u200cخواهم بروم', 'میخواهم', ['می\u200cخواهم']],
  ['میخواهم بروم', 'می\u200cخواهم', ['میخواهم']],
])('%s is found by %s', (original, typed, words) => {
  expect(highlightedTexts(original, typed)).toEqual(words);
});

test.each([
  ['Muller kommt', 'mueller'],
  ['blunder', 'blue'],
  ['weather', 'eat'],
  ['see you', 'see me'],
])('%s is not found by %s', (original, typed) => {
  expect(isFound(original, typed)).toBe(false);
});

test('an empty query finds nothing to highlight', () => {
  expect(parseNeedles('  … !')).toEqual([]);
});
