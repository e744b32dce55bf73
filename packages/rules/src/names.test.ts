import fc from 'fast-check';
import { cleanName, isolateDirection, cleanNameWithin } from './names.ts';

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
  ['A\ufe0fda\u034f', 'Ada'],
  ['Zoe\u00ad\u0308', 'Zoë'],
  ['q\u0301\u200d', 'q\u0301'],
  ['❤\ufe0f\ufe0f 1\ufe0f\u20e3 1\ufe0f', '❤\ufe0f 1\ufe0f\u20e3 1'],
  ['葛\u{e0100}城', '葛\u{e0100}城'],
  ['\u1820\u180bA\u180b', '\u1820\u180bA'],
  ['\u1100\u1160 한\u1160글', '\u1100\u1160 한글'],
  ['한\u3164글\u3164\u200d', '한\u3164글'],
])('%j is cleaned to %j', (given, clean) => {
  expect(cleanName(given)).toBe(clean);
  expect(cleanName(clean)).toBe(clean);
});

test.each(
  Array.from(
    '\u00ad\u034f\u115f\u1160\u17b4\u180b\u2065\u3164\ufe00\ufe0e\ufe0f\uffa0\ufff0\ufff8\u{e0000}\u{e0020}\u{e0100}\u{e0fff}',
  ),
)('%j alone is not a name', (character) => {
  expect(cleanNameWithin(character, { min: 1, max: 10 })).toBeUndefined();
});

test('a clean name is composed and otherwise unchanged', () => {
  const someCharacter = fc.constantFrom(
    ...Array.from(
      'eی한ක葛ᠠ❤👩↔1🏽\u20e3\u0301\u0308\u0338\u0dca\u1100\u1161\u1160\u3164\u115f\u00ad\u034f\u180b\u200b\u200c\u200d' +
        ' \n\u2800\u3000\ufe00\ufe0f\u{e0041}\u{e007f}\u{e0100}\ud800',
    ),
  );
  fc.assert(
    fc.property(fc.array(someCharacter, { maxLength: 12 }), (some) => {
      const clean = cleanName(some.join(''));
      expect(clean.normalize('NFC')).toBe(clean);
      expect(cleanName(clean)).toBe(clean);
    }),
    { numRuns: 2_000, seed: 44 },
  );
});

test('a name crafted to slow down the cleaner does not', () => {
  const began = process.cpuUsage();
  for (const run of [
    '\u2800',
    '\u3164',
    '\u115f',
    '\u1160',
    '\uffa0',
    ' ',
    '\u200d',
    '\u0301',
    '\u{e0041}',
    '\ufe0f',
    'ی\u200d',
  ]) {
    cleanName(`a${run.repeat(60_000)}b`);
  }
  expect(process.cpuUsage(began).user).toBeLessThan(1_000_000);
});

test('a name is measured in characters once it is clean', () => {
  const rule = { min: 1, max: 10 };
  expect(cleanNameWithin(` ${'😀'.repeat(10)}\u202e`, rule)).toBe('😀'.repeat(10));
  expect(cleanNameWithin('x'.repeat(11), rule)).toBeUndefined();
  expect(cleanNameWithin('\u200b', rule)).toBeUndefined();
  expect(cleanNameWithin('\u200b', { min: 0, max: 10 })).toBe('');
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
])('%j is embedded in a sentence as %j', (text, shown) => {
  expect(isolateDirection(text)).toBe(shown);
});

test('a right-to-left sentence isolates words, but not numbers', () => {
  expect(isolateDirection('Ada (Ops)', 'rtl')).toBe('\u2068Ada (Ops)\u2069');
  expect(isolateDirection('12', 'rtl')).toBe('12');
});
