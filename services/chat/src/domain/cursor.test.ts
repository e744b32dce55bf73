import type { ConversationId } from '@nolo/kit/ids';
import { clampSeq, pageSize, readListCursor, writeListCursor } from './cursor.ts';

const place = {
  activityAt: new Date('2026-11-20T12:00:00.123Z'),
  id: '0199aaaa-0000-7000-8000-00000000000b' as ConversationId,
};

test('a cursor comes back as it went out', () => {
  expect(readListCursor(writeListCursor(place))).toEqual(place);
  expect(readListCursor('')).toBeUndefined();
});

test.each([
  'x',
  '%%%',
  Buffer.from('1.nonsense').toString('base64url'),
  Buffer.from(`-1.${place.id}`).toString('base64url'),
])('the cursor %p is refused', (cursor) => {
  expect(() => readListCursor(cursor)).toThrow(expect.objectContaining({ code: 'cursor_invalid', kind: 'invalid' }));
});

test('pages keep to their limits', () => {
  expect([0, 1, 100, 101].map((asked) => pageSize(asked, 50, 100))).toEqual([50, 1, 100, 100]);
});

test('sequence numbers stay exact', () => {
  expect([-1, 1.5, 1e300].map(clampSeq)).toEqual([0, 1, Number.MAX_SAFE_INTEGER]);
});
