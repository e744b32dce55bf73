import { safeFileName, thumbnailWidthsOf } from './files.ts';

test.each([
  ['report.pdf', 'report.pdf'],
  ['  two   words .txt ', 'two words .txt'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\fakepath\\photo.jpg', 'photo.jpg'],
  ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['a\u0000b\nc\u0085.txt', 'abc.txt'],
  ['zero\u200bwidth', 'zerowidth'],
  ['Käse 🧀.png', 'Käse 🧀.png'],
  ['', 'file'],
  ['..', 'file'],
  ['folder/', 'file'],
  ['\ud800', 'file'],
])('%p becomes %p', (given, kept) => {
  expect(safeFileName(given)).toBe(kept);
});

test('a long name keeps its ending and no half character', () => {
  const name = safeFileName(`${'🧀'.repeat(100)}.png`, 50);
  expect(name).toBe(`${'🧀'.repeat(11)}.png`);
  expect(new TextEncoder().encode(safeFileName('a'.repeat(1_000))).length).toBe(255);
  expect(safeFileName(`a.${'b'.repeat(400)}`).length).toBe(255);
});

test.each([
  ['a photograph', { width: 1_600, height: 1_000, moves: false }, [320, 960]],
  ['one that is no wider than a step', { width: 320, height: 200, moves: false }, []],
  ['a small one that moves', { width: 200, height: 120, moves: true }, [320]],
  ['one too tall for the wider step', { width: 1_000, height: 30_000, moves: false }, [320]],
])('%s has smaller ones of the widths that help', (_, picture, widths) => {
  expect(thumbnailWidthsOf(picture)).toEqual(widths);
});
