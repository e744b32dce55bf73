import fc from 'fast-check';
import { compareNames, foldText, foldTextWithOffsets } from './foldText.ts';

/** Every assigned Unicode character; including private use would take too long. */
const characters = Array.from({ length: 0x11_0000 }, (_, point) => String.fromCodePoint(point)).filter(
  (character) => !/[\p{Unassigned}\p{Surrogate}\p{Private_Use}]/u.test(character),
);

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme-composite' }),
);

test.each([
  ['İpek', 'ipek'],
  ['IPEK', 'ipek'],
  ['ışık', 'isik'],
  ['IŞIK', 'isik'],
  ['Gaël', 'gael'],
  ['Gae\u0308l', 'gael'],
  ['straße', 'strasse'],
  ['STRASSE', 'strasse'],
  ['STRAẞE', 'strasse'],
  ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
  ['σίσυφος', 'σισυφοσ'],
  ['ﬁne ﬂoor', 'fine floor'],
  ['Ｗｉｄｅ', 'wide'],
  ['Łukasz Sørensen', 'lukasz sorensen'],
  ['Donau\u00addampf\u00adschiff', 'donaudampfschiff'],
  ['می\u200cخواهم', 'ميخواهم'],
  ['Zero\u200bwidth \u2066isolated\u2069', 'zerowidth isolated'],
  ['❤\ufe0f', '❤'],
  ['مدرســـة', 'مدرسه'],
])('%s is folded to %s', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test('vowel signs and voiced kana are letters and are kept', () => {
  expect(foldText('की')).not.toBe(foldText('का'));
  expect(foldText('ガス')).not.toBe(foldText('カス'));
  expect(foldText('ที')).not.toBe(foldText('ทา'));
});

test('folding each character again changes nothing', () => {
  const changed = characters.filter((letter) => foldText(foldText(letter)) !== foldText(letter));
  expect(changed).toEqual([]);
});

test('upper case, lower case and decomposed forms of a character fold to the same text', () => {
  const different = characters.filter((letter) => {
    const folded = foldText(letter);
    const forms = [
      letter.toUpperCase(),
      letter.toLowerCase(),
      letter.normalize('NFC'),
      letter.normalize('NFD'),
      letter.normalize('NFKC'),
      letter.normalize('NFKD'),
    ];
    return forms.some((form) => foldText(form) !== folded);
  });
  expect(different).toEqual([]);
});

test('folding is idempotent', () => {
  fc.assert(fc.property(anyText, (text) => expect(foldText(foldText(text))).toBe(foldText(text))));
});

test('folding with positions gives the same text, and a source position for each code unit', () => {
  fc.assert(
    fc.property(anyText, (original) => {
      const { text, starts, ends } = foldTextWithOffsets(original);
      expect(text).toBe(foldText(original));
      expect(starts).toHaveLength(text.length);
      expect(ends).toHaveLength(text.length);
      for (const [place, start] of starts.entries()) expect(ends[place]).toBeGreaterThan(start);
    }),
  );
});

test('names are sorted by their folded text', () => {
  const names = ['Zoë', 'émile', 'Øyvind', 'alice', 'Bob', 'Łukasz', 'İpek'];
  expect(names.toSorted(compareNames)).toEqual(['alice', 'Bob', 'émile', 'İpek', 'Łukasz', 'Øyvind', 'Zoë']);
});

test('names that fold to the same text have a stable order by code point, as in UTF-8', () => {
  expect(['ada', 'Ada'].toSorted(compareNames)).toEqual(['Ada', 'ada']);
  expect(['\u{1f600}', '\ufffc'].toSorted(compareNames)).toEqual(['\ufffc', '\u{1f600}']);
});
