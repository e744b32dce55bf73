import { toTimeLeft } from './times.ts';

const start = Date.parse('2026-11-23T08:00:00Z');
const hours = (count: number) => start + count * 3_600_000;
const at = (count: number) => new Date(hours(count)).toISOString();

it.each([
  [24, 'day', 24],
  [23.5, 'day', 24],
  [23, 'hours', 23],
  [0.01, 'hours', 1],
  [0, 'expired', 0],
  [-1, 'expired', 0],
])('shows %s hours left as %s %s', (left, unit, count) => {
  expect(toTimeLeft(at(left), start)).toEqual({ unit, count });
});
