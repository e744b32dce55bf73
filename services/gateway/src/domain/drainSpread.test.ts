import { drainSpreadMs } from './drainSpread.ts';

test('a single socket closes at once, many at a rate that others can absorb', () => {
  expect(drainSpreadMs(0, 5_000)).toBe(0);
  expect(drainSpreadMs(1, 5_000)).toBe(0);
  expect(drainSpreadMs(201, 5_000)).toBe(1_000);
});

test('sockets close faster if there are too many for the available time', () => {
  expect(drainSpreadMs(20_000, 25_000)).toBe(25_000);
  expect(drainSpreadMs(20_000, -1)).toBe(0);
});
