import { firstDateAfterChange, monthDayOf, nextDate } from './recurrence.ts';

const next = (
  first: string,
  recurrence: 'daily' | 'weekdays' | 'weekly' | 'monthly' | 'none',
  zone: string,
  now: string,
) => {
  const scheduledAt = new Date(first);
  return nextDate({ scheduledAt, firstAt: scheduledAt, recurrence, timeZone: zone }, new Date(now))?.toISOString();
};

test('a daily meeting keeps its local time across daylight saving changes', () => {
  // Berlin leaves daylight saving time on 25 October 2026 and enters it on 29 March 2026.
  expect(next('2026-10-24T07:00:00Z', 'daily', 'Europe/Berlin', '2026-10-24T08:00:00Z')).toBe(
    '2026-10-25T08:00:00.000Z',
  );
  expect(next('2026-03-28T08:00:00Z', 'daily', 'Europe/Berlin', '2026-03-28T09:00:00Z')).toBe(
    '2026-03-29T07:00:00.000Z',
  );
});

test('a weekly meeting in the southern hemisphere shifts the other way', () => {
  // Sydney enters daylight saving time on 4 October 2026.
  expect(next('2026-09-30T00:00:00Z', 'weekly', 'Australia/Sydney', '2026-09-30T01:00:00Z')).toBe(
    '2026-10-06T23:00:00.000Z',
  );
});

test('weekdays exclude the weekend', () => {
  // 20 November 2026 is a Friday.
  expect(next('2026-11-20T09:00:00Z', 'weekdays', 'Africa/Johannesburg', '2026-11-20T10:00:00Z')).toBe(
    '2026-11-23T09:00:00.000Z',
  );
});

test('the 31st returns after a short month', () => {
  const monthly = (now: string) => next('2026-01-31T09:00:00Z', 'monthly', 'UTC', now);
  expect(monthly('2026-02-01T00:00:00Z')).toBe('2026-02-28T09:00:00.000Z');
  expect(monthly('2026-03-01T00:00:00Z')).toBe('2026-03-31T09:00:00.000Z');
});

test('missed dates are skipped', () => {
  expect(next('2026-01-01T09:00:00Z', 'daily', 'UTC', '2026-06-15T12:00:00Z')).toBe('2026-06-16T09:00:00.000Z');
  expect(next('2026-01-01T09:00:00Z', 'none', 'UTC', '2026-06-15T12:00:00Z')).toBeUndefined();
});

/** Returns the dates of a meeting that takes place every time and is then rescheduled. */
function datesOf(first: string, recurrence: 'daily' | 'monthly', timeZone: string, count: number): string[] {
  const firstAt = new Date(first);
  const dates = [firstAt];
  for (let scheduledAt: Date | undefined = firstAt; scheduledAt && dates.length < count;) {
    scheduledAt = nextDate({ scheduledAt, firstAt, recurrence, timeZone }, new Date(scheduledAt.getTime() + 3_600_000));
    if (scheduledAt) dates.push(scheduledAt);
  }
  return dates.map((date) => date.toISOString());
}

test.each([
  [31, ['01-31', '02-28', '03-31', '04-30', '05-31']],
  [30, ['01-30', '02-28', '03-30', '04-30', '05-30']],
  [29, ['01-29', '02-28', '03-29', '04-29', '05-29']],
])('a monthly meeting on the %s falls on the last day of shorter months, and then returns to its day', (day, dates) => {
  const first = `2026-01-${day}T09:00:00.000Z`;
  expect(datesOf(first, 'monthly', 'UTC', 5)).toEqual(dates.map((date) => `2026-${date}T09:00:00.000Z`));
});

test('a time skipped by daylight saving returns on the next day', () => {
  // Berlin skips 2:30 on 29 March 2026.
  expect(datesOf('2026-03-28T01:30:00.000Z', 'daily', 'Europe/Berlin', 3)).toEqual([
    '2026-03-28T01:30:00.000Z',
    '2026-03-29T01:30:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ]);
});

test('the day of the month is that of the first date in its zone, until a host moves the meeting', () => {
  const series = {
    firstAt: new Date('2026-01-30T23:30:00Z'),
    scheduledAt: new Date('2026-02-27T23:30:00Z'),
    recurrence: 'monthly',
    timeZone: 'Europe/Berlin',
  } as const;
  expect(monthDayOf(series)).toBe(31);
  // Release 0.1.0 moved a meeting without updating its first date.
  expect(monthDayOf({ ...series, scheduledAt: new Date('2026-02-10T23:30:00Z') })).toBe(11);
  expect(monthDayOf({ ...series, firstAt: null })).toBe(28);
  expect(monthDayOf({ ...series, recurrence: 'weekly' })).toBeUndefined();
  expect(firstDateAfterChange(series, { scheduledAt: new Date(series.scheduledAt) })).toBeUndefined();
  expect(firstDateAfterChange(series, { recurrence: 'monthly' })).toBeUndefined();
  expect(firstDateAfterChange(series, { recurrence: 'weekly' })).toEqual(series.scheduledAt);
  const moved = new Date('2026-02-14T09:00:00Z');
  expect(firstDateAfterChange(series, { scheduledAt: moved })).toEqual(moved);
});
