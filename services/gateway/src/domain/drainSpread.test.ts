import { computeDrainSpreadMs } from './drainSpread.ts';

test('a single socket closes at once, many at a rate that others can absorb', () => {
  expect(computeDrainSpreadMs(0, 5_000)).toBe(0);
  expect(computeDrainSpreadMs(1, 5_000)).toBe(0);
  expect(computeDrainSpreadMs(201, 5_000)).toBe(1_000);
});

test('sockets close faster if there are too many for the available time', () => {
  expect(computeDrainSpreadMs(20_000, 25_000)).toBe(25_000);
  expect(computeDrainSpreadMs(20_000, -1)).toBe(0);
});
