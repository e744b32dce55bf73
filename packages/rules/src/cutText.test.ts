import { cutText, toWellFormedText } from './cutText.ts';

const family = '👩‍👩‍👧‍👦';

test.each([
  ['short', 10, 'utf16', 'short'],
  ['hello world', 5, 'utf16', 'hello'],
  [`${'a'.repeat(99)}😀.txt`, 100, 'utf16', 'a'.repeat(99)],
  [`ab${family}`, 5, 'utf16', 'ab'],
  [`ab${family}`, 3, 'graphemes', `ab${family}`],
  [`ab${family}cd`, 3, 'graphemes', `ab${family}`],
  [`ab${family}`, 20, 'bytes', 'ab'],
  ['Käse', 2, 'bytes', 'K'],
  ['Käse', 3, 'bytes', 'Kä'],
  ['😀😀', 1, 'codePoints', '😀'],
  ['cafe\u0301s', 4, 'utf16', 'caf'],
  ['cafe\u0301s', 5, 'utf16', 'cafe\u0301'],
  ['a\r\nb', 2, 'utf16', 'a'],
  ['abc', 0, 'utf16', ''],
  ['', 5, 'bytes', ''],
] as const)('%j cut to %i in %s is %j', (text, maxSize, unit, cut) => {
  expect(cutText(text, maxSize, unit)).toBe(cut);
});

test('a first grapheme longer than the limit is cut between code points', () => {
  expect(cutText(`e${'\u0301'.repeat(500)}`, 10)).toBe(`e${'\u0301'.repeat(9)}`);
  expect(cutText(family, 3)).toBe('👩‍');
  expect(cutText('😀', 1)).toBe('');
});

test('the result is well-formed, even if the text contains a lone surrogate', () => {
  for (const text of ['a\ud83d', '\ude00b', `\ud83d${'x'.repeat(50)}`]) {
    for (const maxSize of [1, 2, 60]) expect(() => encodeURIComponent(cutText(text, maxSize))).not.toThrow();
  }
  expect(toWellFormedText('a\ud83db😀')).toBe('a\ufffdb😀');
});

test('a long text is cut without being read in full', () => {
  const began = process.cpuUsage();
  for (let turn = 0; turn < 20; turn += 1) cutText(`ä${'b'.repeat(1_000_000)}`, 100);
  expect(process.cpuUsage(began).user).toBeLessThan(1_000_000);
});
