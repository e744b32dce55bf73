import { parseRange } from './byteRange.ts';

test.each([
  [undefined, undefined],
  ['bytes=0-', { start: 0, end: undefined }],
  ['bytes=5-9', { start: 5, end: 9 }],
  ['bytes=-500', { start: undefined, end: 500 }],
  ['bytes= 5 - 9 ', { start: 5, end: 9 }],
  ['bytes=-', undefined],
  ['bytes=9-5', undefined],
  ['bytes=0-1,5-9', undefined],
  ['lines=1-2', undefined],
  ['bytes=0x10-', undefined],
  [`bytes=${'9'.repeat(30)}-`, undefined],
  [`bytes=${' '.repeat(1_000_000)}0-`, undefined],
])('reads the range %p', (header, range) => {
  expect(parseRange(header)).toEqual(range);
});
