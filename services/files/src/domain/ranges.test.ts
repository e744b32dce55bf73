import { resolveRange } from './ranges.ts';

test.each([
  ['everything', undefined, { start: 0, end: 99 }],
  ['from the middle on', { start: 40 }, { start: 40, end: 99 }],
  ['a piece', { start: 10, end: 19 }, { start: 10, end: 19 }],
  ['one byte', { start: 0, end: 0 }, { start: 0, end: 0 }],
  ['more than available', { start: 90, end: 1_000 }, { start: 90, end: 99 }],
  ['the last ten', { end: 10 }, { start: 90, end: 99 }],
  ['the last thousand', { end: 1_000 }, { start: 0, end: 99 }],
  ['a range past the end', { start: 100 }, undefined],
  ['the last zero', { end: 0 }, undefined],
  ['backwards', { start: 9, end: 8 }, undefined],
  ['an empty range', {}, undefined],
])('requesting %s of a hundred bytes', (_, wanted, span) => {
  expect(resolveRange(100, wanted)).toEqual(span);
});

test('an empty file has no satisfiable range, and can be read as a whole', () => {
  expect(resolveRange(0, { end: 5 })).toBeUndefined();
  expect(resolveRange(0, { start: 0 })).toBeUndefined();
  expect(resolveRange(0, undefined)).toEqual({ start: 0, end: -1 });
});
