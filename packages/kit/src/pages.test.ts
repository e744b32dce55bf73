import { newId } from './ids.ts';
import {
  defineCursor,
  idCursorField,
  nameCursorField,
  numberCursorField,
  clampPageSize,
  textCursorField,
  timeCursorField,
} from './pages.ts';

const isCode = (text: string): text is 'code' => text === 'code';
const cursor = defineCursor({
  rank: numberCursorField,
  at: timeCursorField,
  name: textCursorField,
  id: idCursorField<string>(),
  code: nameCursorField(isCode),
});
const place = {
  rank: -1.5,
  at: new Date('2026-11-20T12:00:00.123Z'),
  name: 'Ad. á|%2E 😀',
  id: newId(),
  code: 'code' as const,
};
const written = (text: string) => Buffer.from(text).toString('base64url');

test('a cursor survives a round trip, and a missing or empty one means the beginning', () => {
  expect(cursor.read(cursor.write(place))).toEqual(place);
  expect([cursor.read(undefined), cursor.read('')]).toEqual([undefined, undefined]);
});

test.each([
  ['garbage', 'x'],
  ['invalid Base64', '%%%'],
  ['too few parts', written(`1.2`)],
  ['one part too many', written(`1.2.a.${place.id}.code.b`)],
  ['a number that is not a number', written(`NaN.2.a.${place.id}.code`)],
  ['a negative time', written(`1.-2.a.${place.id}.code`)],
  ["a time outside PostgreSQL's range", written(`1.9999999999999999.a.${place.id}.code`)],
  ['a NUL', written(`1.2.%00.${place.id}.code`)],
  ['an incomplete escape', written(`1.2.%E0%A4%A.${place.id}.code`)],
  ['an invalid id', written('1.2.a.b.code')],
  ['an invalid name', written(`1.2.a.${place.id}.nonsense`)],
])('%s is refused', (_, text) => {
  expect(() => cursor.read(text)).toThrow(expect.objectContaining({ kind: 'invalid', code: 'cursor_invalid' }));
});

test('pages respect their limits', () => {
  expect([undefined, 0, 1, 100, 101].map((requestedSize) => clampPageSize(requestedSize, 50, 100))).toEqual([
    50, 50, 1, 100, 100,
  ]);
});
