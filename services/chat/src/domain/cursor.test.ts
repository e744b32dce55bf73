import { clampSeq } from './cursor.ts';

test('sequence numbers are clamped to exact integers', () => {
  expect([-1, 1.5, 1e300].map(clampSeq)).toEqual([0, 1, Number.MAX_SAFE_INTEGER]);
});
