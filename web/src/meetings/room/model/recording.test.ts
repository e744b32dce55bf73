import { recordingName, sizeInWords } from './recording.ts';

const at = new Date(2026, 10, 3, 9, 5);

test.each([
  ['Weekly', 'Weekly 2026-11-03 09-05.webm'],
  ['Q3: plans / ideas?', 'Q3 plans ideas 2026-11-03 09-05.webm'],
  ['  ...  ', 'Nolo 2026-11-03 09-05.webm'],
  ['اجتماع', 'اجتماع 2026-11-03 09-05.webm'],
  ['../../etc/passwd', '.. etc passwd 2026-11-03 09-05.webm'.replace('.. ', '')],
])('%j becomes a file name that every system accepts', (meeting, name) => {
  expect(recordingName(meeting, at, 'webm')).toBe(name);
});

test('a long title leaves room for the time', () => {
  expect(recordingName('x'.repeat(300), at, 'mp4')).toBe(`${'x'.repeat(80)} 2026-11-03 09-05.mp4`);
});

test.each([
  [900, '0.9 kB'],
  [1_440_000, '1.4 MB'],
  [52_000_000, '52 MB'],
  [2_100_000_000, '2.1 GB'],
])('%d bytes are %s', (bytes, words) => {
  expect(sizeInWords(bytes, 'en')).toBe(words);
});
