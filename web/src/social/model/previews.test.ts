import { cutSides, folded, previewLooks } from './previews.ts';

test('a text is folded at a word near the end, and not inside of a letter', () => {
  expect(folded('short', 10)).toEqual({ shown: 'short', hidden: false });
  expect(folded('nine more words', 11)).toEqual({ shown: 'nine more', hidden: true });
  expect(folded('Donaudampfschifffahrt', 10)).toEqual({ shown: 'Donaudampf', hidden: true });
  expect(folded('👩🏽‍🚀'.repeat(2), 20)).toEqual({ shown: '👩🏽‍🚀'.repeat(2), hidden: false });
});

test.each([
  [1000, 1000, 'none'],
  [800, 1000, 'none'],
  [600, 1000, 'top'],
  [1910, 1000, 'none'],
  [3000, 1000, 'sides'],
  [0, 0, 'none'],
])('a picture of %d by %d on Instagram is cut: %s', (width, height, cut) => {
  expect(cutSides(width, height, previewLooks.instagram)).toBe(cut);
});

test('whoever shows pictures whole cuts nothing', () => {
  expect(cutSides(3000, 1000, previewLooks.bluesky)).toBe('none');
});
