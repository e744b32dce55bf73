import { quietCuts } from './quietCuts.ts';

const rate = 1_000;
const loud = (seconds: number) => new Float32Array(seconds * rate).fill(0.5);
const quiet = (seconds: number) => new Float32Array(seconds * rate);
const joined = (...parts: Float32Array[]) => Float32Array.from(parts.flatMap((part) => [...part]));

test('what is short enough stays whole', () => {
  expect([...quietCuts(loud(5), rate, 28)].map(({ length }) => length)).toEqual([5_000]);
});

test('what is longer is cut in its pauses, and nothing is lost', () => {
  const sound = joined(loud(20), quiet(1), loud(24), quiet(1), loud(10));
  const parts = [...quietCuts(sound, rate, 28)];
  expect(parts.map(({ length }) => Math.round(length / rate))).toEqual([21, 25, 10]);
  expect(joined(...parts)).toEqual(sound);
});

test('without a pause it is cut all the same', () => {
  const parts = [...quietCuts(loud(100), rate, 28)];
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(28_000);
  expect(joined(...parts)).toHaveLength(100_000);
});
