import { encodingsFor } from './encodings.ts';

test('a camera in full size sends three layers, each half of the next', () => {
  expect(encodingsFor('camera', 720).map(({ scaleResolutionDownBy }) => scaleResolutionDownBy)).toEqual([4, 2, 1]);
});

test('a small camera sends fewer, and none below what is worth seeing', () => {
  expect(encodingsFor('camera', 360)).toHaveLength(2);
  expect(encodingsFor('camera', 180)).toHaveLength(1);
});

test('a screen is one sharp layer', () => {
  expect(encodingsFor('screen', 1_080)).toHaveLength(1);
});
