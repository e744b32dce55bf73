import { newId } from './ids.ts';
import { defineCursor, idField, nameField, numberField, pageSize, textField, timeField } from './pages.ts';

const isCode = (text: string): text is 'code' => text === 'code';
const cursor = defineCursor({
  rank: numberField,
  at: timeField,
  name: textField,
  id: idField<string>(),
  code: nameField(isCode),
});
const place = {
  rank: -1.5,
  at: new Date('2026-11-20T12:00:00.123Z'),
  name: 'Ad. á|%2E 😀',
  id: newId(),
  code: 'code' as const,
};
const written = (text: string) => Buffer.from(text).toString('base64url');

test('a cursor comes back as it went out, and no cursor, or an empty one, is the beginning', () => {
  expect(cursor.read(cursor.write(place))).toEqual(place);
  expect([cursor.read(undefined), cursor.read('')]).toEqual([undefined, undefined]);
});

test.each([
  ['no cursor at all', 'x'],
  ['what is no Base64', '%%%'],
  ['too few parts', written(`1.2`)],
  ['one part too many', written(`1.2.a.${place.id}.code.b`)],
  ['a number that is none', written(`NaN.2.a.${place.id}.code`)],
  ['a time before all others', written(`1.-2.a.${place.id}.code`)],
  ['a time that PostgreSQL does not know', written(`1.9999999999999999.a.${place.id}.code`)],
  ['a NUL', written(`1.2.%00.${place.id}.code`)],
  ['half an escape', written(`1.2.%E0%A4%A.${place.id}.code`)],
  ['an id that is none', written('1.2.a.b.code')],
  ['a name of another form', written(`1.2.a.${place.id}.nonsense`)],
])('%s is refused', (_, text) => {
  expect(() => cursor.read(text)).toThrow(expect.objectContaining({ kind: 'invalid', code: 'cursor_invalid' }));
});

test('pages keep to their limits', () => {
  expect([undefined, 0, 1, 100, 101].map((requestedSize) => pageSize(requestedSize, 50, 100))).toEqual([
    50, 50, 1, 100, 100,
  ]);
});
