import {
  computeContrastRatio,
  countCharacters,
  statusBackgroundColors,
  statusFonts,
  toReadableStatusBackground,
  statusTextColors,
  type StatusBackground,
  type StatusTextColor,
} from './status.ts';

const pairs = statusBackgroundColors.flatMap((background) =>
  statusTextColors.map((text): [StatusBackground, StatusTextColor] => [background, text]),
);

test('there are ten backgrounds and six fonts, and the specified defaults come first', () => {
  expect([statusBackgroundColors.length, statusFonts.length]).toEqual([10, 6]);
  expect([statusBackgroundColors[0], statusFonts[0]]).toEqual(['#1DB584', 'Arial']);
});

test.each(pairs)('text on a %s background is readable in %s', (background, text) => {
  expect(computeContrastRatio(toReadableStatusBackground(background, text), text)).toBeGreaterThanOrEqual(4.5);
});

test('a background with enough contrast is drawn unchanged', () => {
  expect(toReadableStatusBackground('#111827', '#FFFFFF')).toBe('#111827');
  expect(toReadableStatusBackground('#1DB584', '#000000')).toBe('#1DB584');
});

test('the specified default is darkened, not given black text', () => {
  const surface = toReadableStatusBackground('#1DB584', '#FFFFFF');
  expect(computeContrastRatio(surface, '#000000')).toBeLessThan(computeContrastRatio('#1DB584', '#000000'));
});

test('characters are counted as people count them', () => {
  expect(countCharacters('')).toBe(0);
  expect(countCharacters('né')).toBe(2);
  expect(countCharacters('👩‍👩‍👧‍👦!')).toBe(2);
});
