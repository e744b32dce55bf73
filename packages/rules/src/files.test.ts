import { safeFileName } from './files.ts';

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
