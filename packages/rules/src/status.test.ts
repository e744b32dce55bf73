import {
  countCharacters,
  readableTextColor,
  statusBackgroundColors,
  statusBackgrounds,
  statusFonts,
  statusTextColors,
  type StatusBackground,
} from './status.ts';

/** WCAG 2.2, "relative luminance" and "contrast ratio". */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [lower = 0, upper = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (upper + 0.05) / (lower + 0.05);
}

const pairs = statusBackgroundColors.flatMap((background) =>
  statusTextColors.map((text): [StatusBackground, string] => [background, text]),
);

test('there are ten backgrounds and six fonts, and the defaults of the specification come first', () => {
  expect([statusBackgroundColors.length, statusFonts.length]).toEqual([10, 6]);
  expect([statusBackgroundColors[0], statusFonts[0]]).toEqual(['#1DB584', 'Arial']);
});

test.each(pairs)('%s with text in %s is offered if and only if it can be read', (background, text) => {
  const offered: readonly string[] = statusBackgrounds[background];
  expect(offered.includes(text)).toBe(contrast(background, text) >= 4.5);
});

test('a colour that cannot be read on a background gives way to the one that can', () => {
  expect(readableTextColor('#1DB584', '#FFFFFF')).toBe('#000000');
  expect(readableTextColor('#111827', '#FFFFFF')).toBe('#FFFFFF');
  expect(readableTextColor('#111827')).toBe('#FFFFFF');
});

test('characters are counted as people do', () => {
  expect(countCharacters('')).toBe(0);
  expect(countCharacters('né')).toBe(2);
  expect(countCharacters('👩‍👩‍👧‍👦!')).toBe(2);
});
