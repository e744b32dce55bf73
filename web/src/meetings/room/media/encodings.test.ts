import { encodingsFor } from './encodings.ts';

test('a full-size camera sends three layers, each half of the next', () => {
  expect(encodingsFor('camera', 720).map(({ scaleResolutionDownBy }) => scaleResolutionDownBy)).toEqual([4, 2, 1]);
});

test('a small camera sends fewer layers, and none too small to be worth watching', () => {
  expect(encodingsFor('camera', 360)).toHaveLength(2);
  expect(encodingsFor('camera', 180)).toHaveLength(1);
});

test('a screen is one sharp layer', () => {
  expect(encodingsFor('screen', 1_080)).toHaveLength(1);
});
