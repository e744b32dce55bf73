import { plainExcerpt } from './plainExcerpt.ts';

test('marks go, words stay', () => {
  expect(plainExcerpt('**so** _it_ `is`')).toBe('so it is');
  expect(plainExcerpt('snake_case and 2 * 3')).toBe('snake_case and 2 * 3');
  expect(plainExcerpt('one\n two')).toBe('one two');
  expect(plainExcerpt('They say:\n> closed\n> > since 5 > 4')).toBe('They say: closed since 5 > 4');
  expect(plainExcerpt('a'.repeat(10_000))).toHaveLength(240);
});
