import { readFileSync } from 'node:fs';
import { computeBrandTones, contrastOf, surfaces } from './brandTones.ts';

/** Every eleventh value of each channel, so that all kinds of color are covered. */
const channel = Array.from({ length: 24 }, (_, step) => (step * 11).toString(16).padStart(2, '0'));
const colors = channel.flatMap((red) => channel.flatMap((green) => channel.map((blue) => `#${red}${green}${blue}`)));

test.each(['light', 'dark'] as const)('the tones of any colour can be seen and read (%s)', (scheme) => {
  const unfit = colors.filter((color) => {
    const { line, onLine } = computeBrandTones(color, scheme);
    return contrastOf(line, onLine) < 4.5 || surfaces[scheme].some((surface) => contrastOf(line, surface) < 3);
  });
  expect(unfit).toEqual([]);
});

test('a suitable colour is left unchanged', () => {
  expect(computeBrandTones('#0a6e5c', 'light').line).toBe('#0a6e5c');
});

test('the surfaces are those of the app', () => {
  const tokens = readFileSync(new URL('../../ui/tokens.css', import.meta.url), 'utf8');
  for (const name of ['page', 'panel', 'raised', 'overlay', 'sunken']) {
    const [, light = '', dark = ''] = new RegExp(`--nolo-${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens) ?? [];
    expect(surfaces.light).toContain(light);
    expect(surfaces.dark).toContain(dark);
  }
});
