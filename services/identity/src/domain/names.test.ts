import { cleanText, cutText } from './names.ts';

const rule = { min: 1, max: 10 };

describe('a name', () => {
  test.each([
    ['  Ada ', 'Ada'],
    ['e\u0301', 'é'],
    ['O’Neil', 'O’Neil'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['شهر\u200fزاد', 'شهر\u200fزاد'],
    ['😀'.repeat(10), '😀'.repeat(10)],
  ])('%j is kept as %j', (input, output) => {
    expect(cleanText(input, rule)).toBe(output);
  });

  test.each([
    '',
    '   ',
    '\u200b',
    '\u3164',
    'x'.repeat(11),
    'a\u0000',
    'a\tb',
    'a\u2028b',
    '\u202eabc',
    'a\u2066b',
    'a\u009fb',
  ])('%j is refused', (input) => {
    expect(cleanText(input, rule)).toBeUndefined();
  });

  test('may be empty where the rule says so, also if only blanks are in it', () => {
    expect(cleanText(' \u200b', { min: 0, max: 10 })).toBe('');
  });

  test('that nobody can correct is cut to fit', () => {
    expect(cutText('a\u202eb\u0000c'.repeat(9), 4)).toBe('a b');
    expect(cutText(' \u200b ', 4)).toBe('');
  });
});
