import { toPortableFileName, sanitizeFileName, thumbnailWidthsOf } from './files.ts';

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
  ['نامه\u200cها.pdf', 'نامه\u200cها.pdf'],
  ['ශ්\u200dරී.txt', 'ශ්\u200dරී.txt'],
  ['👩‍👩‍👧‍👦.png', '👩‍👩‍👧‍👦.png'],
  [
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}.png',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}.png',
  ],
  ['a\u{e0067}\u{e007f}\u200d.e\u200cxe', 'a.exe'],
  ['soft\u00adhyphen\u2060\ufeff.txt', 'softhyphen.txt'],
  ['\u0600۱۲.txt', '\u0600۱۲.txt'],
])('%p becomes %p', (given, kept) => {
  expect(sanitizeFileName(given)).toBe(kept);
});

test.each([
  ['Report.PDF', 'Report.PDF'],
  ['a/b\\c:d*?"<>|\u0000', 'a_b_c_d_______'],
  ['..', ''],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['trailing. ', 'trailing'],
  ['\u202egnp.exe', 'gnp.exe'],
  [`${'a'.repeat(99)}😀.txt`, `${'a'.repeat(99)}😀.txt`],
  [`${'a'.repeat(114)}😀.txt`, `${'a'.repeat(114)}.txt`],
  ['half\ud83d.txt', 'half.txt'],
])('makes %j safe for every file system as %j', (given, portable) => {
  expect(toPortableFileName(given)).toBe(portable);
  expect(() => encodeURIComponent(portable)).not.toThrow();
});

test('a long name keeps its extension and no half character', () => {
  const name = sanitizeFileName(`${'🧀'.repeat(100)}.png`, 50);
  expect(name).toBe(`${'🧀'.repeat(11)}.png`);
  expect(new TextEncoder().encode(sanitizeFileName('a'.repeat(1_000))).length).toBe(255);
  expect(sanitizeFileName(`a.${'b'.repeat(400)}`).length).toBe(255);
});

test.each([
  ['a photograph', { width: 1_600, height: 1_000, moves: false }, [320, 960]],
  ['one no wider than a size step', { width: 320, height: 200, moves: false }, []],
  ['a small animated one', { width: 200, height: 120, moves: true }, [320]],
  ['one too tall for the wider step', { width: 1_000, height: 30_000, moves: false }, [320]],
])('%s gets thumbnails of the useful widths', (_, picture, widths) => {
  expect(thumbnailWidthsOf(picture)).toEqual(widths);
});
