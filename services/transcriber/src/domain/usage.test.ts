import { roundToCountedSeconds, monthsAgo, calendarMonthOf } from './usage.ts';

test('months are UTC calendar months', () => {
  expect(calendarMonthOf(new Date('2026-11-30T23:59:59.999Z'))).toBe('2026-11');
  expect(calendarMonthOf(new Date('2026-12-01T01:00:00+02:00'))).toBe('2026-11');
  expect(monthsAgo(new Date('2026-11-22T00:00:00Z'), 13)).toBe('2025-10');
  expect(monthsAgo(new Date('2026-03-31T00:00:00Z'), 1)).toBe('2026-02');
});

test.each([
  [0.01, 1],
  [1, 1],
  [1.2, 1],
  [600.04, 600],
  [59.9, 60],
])('%d s counts as %d', (seconds, counted) => {
  expect(roundToCountedSeconds(seconds)).toBe(counted);
});
