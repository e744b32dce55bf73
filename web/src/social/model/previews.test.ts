import { findCutSides, foldPreviewText, previewLayouts } from './previews.ts';

test('text is folded at a word near the end, and never inside a character', () => {
  expect(foldPreviewText('short', 10)).toEqual({ shown: 'short', hidden: false });
  expect(foldPreviewText('nine more words', 11)).toEqual({ shown: 'nine more', hidden: true });
  expect(foldPreviewText('Donaudampfschifffahrt', 10)).toEqual({ shown: 'Donaudampf', hidden: true });
  expect(foldPreviewText('👩🏽‍🚀'.repeat(2), 20)).toEqual({ shown: '👩🏽‍🚀'.repeat(2), hidden: false });
});

test.each([
  [1000, 1000, 'none'],
  [800, 1000, 'none'],
  [600, 1000, 'top'],
  [1910, 1000, 'none'],
  [3000, 1000, 'sides'],
  [0, 0, 'none'],
])('a picture of %d by %d on Instagram is cropped: %s', (width, height, cut) => {
  expect(findCutSides(width, height, previewLayouts.instagram)).toBe(cut);
});

test('platforms that show whole pictures crop nothing', () => {
  expect(findCutSides(3000, 1000, previewLayouts.bluesky)).toBe('none');
});
