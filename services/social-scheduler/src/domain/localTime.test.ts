import { toInstant, parseChosenTime } from './localTime.ts';

const at = (local: string, zone: string) => {
  const found = toInstant(local, zone);
  return typeof found === 'string' ? found : `${found.at.toISOString()} ${found.shift}`;
};

test('a local time becomes an instant in its zone, in summer and in winter', () => {
  expect(at('2026-12-01T09:00', 'Europe/Berlin')).toBe('2026-12-01T08:00:00.000Z none');
  expect(at('2027-07-01T09:00', 'Europe/Berlin')).toBe('2027-07-01T07:00:00.000Z none');
  expect(at('2027-07-01T09:00', 'Asia/Kathmandu')).toBe('2027-07-01T03:15:00.000Z none');
});

test('half past two on the day that skips it becomes half past three', () => {
  expect(at('2027-03-28T02:30', 'Europe/Berlin')).toBe('2027-03-28T01:30:00.000Z skipped');
  expect(at('2027-03-14T02:30', 'America/New_York')).toBe('2027-03-14T07:30:00.000Z skipped');
});

test('a local time that occurs twice means the first occurrence', () => {
  expect(at('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z repeated');
});

test.each([
  ['2026-12-01T09:00', 'Mars/Olympus', 'time_zone_unknown'],
  ['2026-02-30T09:00', 'Europe/Berlin', 'time_invalid'],
  ['2026-12-01T09:00Z', 'Europe/Berlin', 'time_invalid'],
  ['soon', 'Europe/Berlin', 'time_invalid'],
])('%s in %s is %s', (local, zone, fault) => {
  expect(toInstant(local, zone)).toBe(fault);
});

test('an instant is shown in its own time zone', () => {
  expect(parseChosenTime('2027-03-28T00:30:00.000Z', 'Europe/Berlin')).toEqual({
    at: new Date('2027-03-28T00:30:00Z'),
    local: '2027-03-28T01:30',
    zone: 'Europe/Berlin',
  });
  expect(parseChosenTime('2027-07-01T09:00:00+02:00', '')).toMatchObject({ local: '2027-07-01T07:00', zone: 'UTC' });
  expect(parseChosenTime('2027-13-01T09:00:00Z', '')).toBe('time_invalid');
  expect(parseChosenTime('2027-07-01T09:00:00Z', 'Mars/Olympus')).toBe('time_zone_unknown');
  expect(parseChosenTime('2027-07-01T09:00', '')).toBe('time_zone_unknown');
});
