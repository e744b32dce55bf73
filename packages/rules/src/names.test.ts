import { cleanName, isolated, nameWithin } from './names.ts';

test.each([
  ['  Ada ', 'Ada'],
  ['e\u0301', 'é'],
  ['O’Neil', 'O’Neil'],
  ['👩‍👩‍👧', '👩‍👩‍👧'],
  ['👩🏽‍💻', '👩🏽‍💻'],
  ['❤\ufe0f‍🔥', '❤\ufe0f‍🔥'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['ශ්\u200dරී', 'ශ්\u200dරී'],
  ['شهر\u200fزاد', 'شهرزاد'],
  ['A\u200dd\u200ca', 'Ada'],
  ['Ada\u202egnol', 'Adagnol'],
  ['two\n lines\u2028here', 'two lines here'],
  ['a\u0000b', 'a b'],
  ['half \ud83d', 'half'],
  ['soft\u00adhyphen', 'softhyphen'],
  ['\u2800Ada\u2800', 'Ada'],
  ['', ''],
  ['\u2800', ''],
  [' \u200b\u3164 ', ''],
  ['\u202e\u2066', ''],
  ['\u{e0041}\u{e0042}', ''],
])('%j is cleaned to %j', (given, clean) => {
  expect(cleanName(given)).toBe(clean);
  expect(cleanName(clean)).toBe(clean);
});

test('a name is read by its length in characters once it is clean', () => {
  const rule = { min: 1, max: 10 };
  expect(nameWithin(` ${'😀'.repeat(10)}\u202e`, rule)).toBe('😀'.repeat(10));
  expect(nameWithin('x'.repeat(11), rule)).toBeUndefined();
  expect(nameWithin('\u200b', rule)).toBeUndefined();
  expect(nameWithin('\u200b', { min: 0, max: 10 })).toBe('');
});

test.each([
  ['Ada', 'Ada'],
  ['😀 3', '😀 3'],
  ['עדה', '\u2068עדה\u2069'],
  ['\u202egnp.exe', '\u2068gnp.exe\u2069'],
  ['a\u2069b', '\u2068ab\u2069'],
  ['\u2066+1 5\u2069', '\u2066+1 5\u2069'],
  ['\u2066a\u2069b\u2066c\u2069', '\u2068\u2066a\u2069b\u2066c\u2069\u2069'],
  ['a\u2068b\u2069', '\u2068a\u2068b\u2069\u2069'],
  ['', ''],
])('%j stands in a sentence as %j', (text, shown) => {
  expect(isolated(text)).toBe(shown);
});

test('in a sentence from right to left every word is isolated, and numbers are not', () => {
  expect(isolated('Ada (Ops)', 'rtl')).toBe('\u2068Ada (Ops)\u2069');
  expect(isolated('12', 'rtl')).toBe('12');
});
