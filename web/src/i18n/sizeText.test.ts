import { formatClockDuration, sizeText } from './sizeText.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [1_550, '1.6 kB'],
  [123_456, '123 kB'],
  [5_368_709_120, '5.4 GB'],
])('%s bytes are %s', (bytes, text) => {
  expect(sizeText(bytes, 'en')).toBe(text);
});

test('file storage is counted in powers of two', () => {
  expect(sizeText(53_687_091_200, 'en', 1_024)).toBe('50 GB');
});

test.each([
  [0, '0:00'],
  [7.4, '0:07'],
  [65, '1:05'],
  [3_723, '1:02:03'],
])('%s seconds are %s', (seconds, text) => {
  expect(formatClockDuration(seconds)).toBe(text);
});
