import { monthIn, monthsInAnyTimeZone } from './meters.ts';

test.each([
  ['2026-11-15T12:00:00Z', ['2026-11']],
  ['2026-10-31T09:59:00Z', ['2026-10']],
  ['2026-10-31T10:00:00Z', ['2026-10', '2026-11']],
  ['2026-11-01T11:59:00Z', ['2026-10', '2026-11']],
  ['2026-11-01T12:00:00Z', ['2026-11']],
])('finds all months at %s: %j', (at, months) => {
  const now = new Date(at);
  expect(monthsInAnyTimeZone(now)).toEqual(months);
  for (const zone of Intl.supportedValuesOf('timeZone')) expect(months).toContain(monthIn(zone, now));
});
