import type { StatusAuthor, StatusUpdate } from '@nolo/api';
import { findStatusPosition, listStatusPositions, computeShownMs } from './sequence.ts';

const author = (id: string, ...ids: string[]) => ({
  author: { id } as StatusAuthor,
  statuses: ids.map((one) => ({ id: one }) as StatusUpdate),
  unviewed: 0,
});
const idAt = (...given: Parameters<typeof findStatusPosition>) => findStatusPosition(...given)?.status.id;

test('goes through one person after another', () => {
  const places = listStatusPositions([author('ada', 'a1', 'a2'), author('ben', 'b1')]);
  expect(places.map(({ author: one, status, index }) => [one.author.id, status.id, index])).toEqual([
    ['ada', 'a1', 0],
    ['ada', 'a2', 1],
    ['ben', 'b1', 0],
  ]);
});

test('continues with the next if one expires while being viewed', () => {
  const before = listStatusPositions([author('ada', 'a1', 'a2'), author('ben', 'b1')]);
  const now = listStatusPositions([author('ben', 'b1')]);
  expect(idAt(before, 'a2', before)).toBe('a2');
  expect(idAt(now, 'a1', before)).toBe('b1');
  expect(idAt(now, 'b2', before)).toBeUndefined();
  expect(idAt([], 'b1', before)).toBeUndefined();
});

test.each([
  [0, 5_000],
  [200, 9_000],
  [500, 12_000],
])('%d characters are shown for %d ms', (length, ms) => {
  expect(computeShownMs({ content: 'x'.repeat(length) })).toBe(ms);
});
