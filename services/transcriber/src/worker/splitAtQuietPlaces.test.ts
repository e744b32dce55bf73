import { splitAtQuietPlaces } from './splitAtQuietPlaces.ts';

const rate = 1_000;
const loud = (seconds: number) => new Float32Array(seconds * rate).fill(0.5);
const quiet = (seconds: number) => new Float32Array(seconds * rate);
const joined = (...segments: Float32Array[]) => Float32Array.from(segments.flatMap((segment) => [...segment]));

test('short audio stays whole', () => {
  expect([...splitAtQuietPlaces(loud(5), rate, 28)].map(({ length }) => length)).toEqual([5_000]);
});

test('long audio is cut in its pauses, and nothing is lost', () => {
  const sound = joined(loud(20), quiet(1), loud(24), quiet(1), loud(10));
  const segments = [...splitAtQuietPlaces(sound, rate, 28)];
  expect(segments.map(({ length }) => Math.round(length / rate))).toEqual([21, 25, 10]);
  expect(joined(...segments)).toEqual(sound);
});

test('long audio without a pause is cut anyway', () => {
  const segments = [...splitAtQuietPlaces(loud(100), rate, 28)];
  expect(Math.max(...segments.map(({ length }) => length))).toBeLessThanOrEqual(28_000);
  expect(joined(...segments)).toHaveLength(100_000);
});
