import { instantOf } from './localTime.ts';

const at = (local: string, zone: string) => {
  const found = instantOf(local, zone);
  return typeof found === 'string' ? found : `${found.at.toISOString()} ${found.shift}`;
};

test('a time on the wall is an instant in its zone, in summer and in winter', () => {
  expect(at('2026-12-01T09:00', 'Europe/Berlin')).toBe('2026-12-01T08:00:00.000Z none');
  expect(at('2027-07-01T09:00', 'Europe/Berlin')).toBe('2027-07-01T07:00:00.000Z none');
  expect(at('2027-07-01T09:00', 'Asia/Kathmandu')).toBe('2027-07-01T03:15:00.000Z none');
});

test('half past two on the day that lacks it is half past three', () => {
  expect(at('2027-03-28T02:30', 'Europe/Berlin')).toBe('2027-03-28T01:30:00.000Z skipped');
  expect(at('2027-03-14T02:30', 'America/New_York')).toBe('2027-03-14T07:30:00.000Z skipped');
});

test('a time that comes twice is the first of both', () => {
  expect(at('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z repeated');
});

test.each([
  ['2026-12-01T09:00', 'Mars/Olympus', 'time_zone_unknown'],
  ['2026-02-30T09:00', 'Europe/Berlin', 'time_invalid'],
  ['2026-12-01T09:00Z', 'Europe/Berlin', 'time_invalid'],
  ['soon', 'Europe/Berlin', 'time_invalid'],
])('%s in %s is %s', (local, zone, fault) => {
  expect(instantOf(local, zone)).toBe(fault);
});
