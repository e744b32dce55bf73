import { nextOccurrence } from './recurrence.ts';

const next = (
  first: string,
  recurrence: 'daily' | 'weekdays' | 'weekly' | 'monthly' | 'none',
  zone: string,
  now: string,
) => nextOccurrence(new Date(first), recurrence, zone, new Date(now))?.toISOString();

test('a daily meeting keeps its time of the clock when summer time ends and begins', () => {
  // Berlin leaves summer time on 25 October 2026 and enters it on 29 March 2026.
  expect(next('2026-10-24T07:00:00Z', 'daily', 'Europe/Berlin', '2026-10-24T08:00:00Z')).toBe(
    '2026-10-25T08:00:00.000Z',
  );
  expect(next('2026-03-28T08:00:00Z', 'daily', 'Europe/Berlin', '2026-03-28T09:00:00Z')).toBe(
    '2026-03-29T07:00:00.000Z',
  );
});

test('a weekly meeting in another half of the world moves the other way', () => {
  // Sydney enters summer time on 4 October 2026.
  expect(next('2026-09-30T00:00:00Z', 'weekly', 'Australia/Sydney', '2026-09-30T01:00:00Z')).toBe(
    '2026-10-06T23:00:00.000Z',
  );
});

test('weekdays leave the weekend out', () => {
  // 20 November 2026 is a Friday.
  expect(next('2026-11-20T09:00:00Z', 'weekdays', 'Africa/Johannesburg', '2026-11-20T10:00:00Z')).toBe(
    '2026-11-23T09:00:00.000Z',
  );
});

test('the 31st comes back after a short month', () => {
  const monthly = (now: string) => next('2026-01-31T09:00:00Z', 'monthly', 'UTC', now);
  expect(monthly('2026-02-01T00:00:00Z')).toBe('2026-02-28T09:00:00.000Z');
  expect(monthly('2026-03-01T00:00:00Z')).toBe('2026-03-31T09:00:00.000Z');
});

test('dates that nobody came to are passed over', () => {
  expect(next('2026-01-01T09:00:00Z', 'daily', 'UTC', '2026-06-15T12:00:00Z')).toBe('2026-06-16T09:00:00.000Z');
  expect(next('2026-01-01T09:00:00Z', 'none', 'UTC', '2026-06-15T12:00:00Z')).toBeUndefined();
});
