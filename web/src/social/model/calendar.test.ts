import type { SocialPost } from '@nolo/api';
import {
  addDays,
  toDay,
  isMovable,
  isHourSkipped,
  computeMovedTime,
  postsByDay,
  toTimeRange,
  listShownDays,
  turnCalendarPage,
} from './calendar.ts';
import { resolveWallTime } from './resolveWallTime.ts';

const post = (overrides: Partial<SocialPost>): SocialPost => ({
  id: '0193',
  content: 'Hello',
  texts: {},
  media: [],
  mediaCount: 0,
  state: 'scheduled',
  scheduledAt: null,
  localTime: null,
  timeZone: null,
  createdAt: '2027-03-01T10:00:00.000Z',
  platforms: ['twitter'],
  accountIds: [],
  deliveries: [],
  ...overrides,
});
/** Returns the moment of a local time. */
const at = (local: string): string => new Date(local).toISOString();
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

test('a month shows whole weeks, from the local first day of the week', () => {
  const monday = listShownDays('month', '2027-03-17', 1);
  expect(monday).toHaveLength(35);
  expect([monday[0], monday.at(-1)]).toEqual(['2027-03-01', '2027-04-04']);
  const sunday = listShownDays('month', '2027-03-17', 7);
  expect([sunday[0], sunday.at(-1)]).toEqual(['2027-02-28', '2027-04-03']);
  expect(listShownDays('month', '2027-02-28', 1)).toHaveLength(28);
  expect(listShownDays('month', '2027-08-01', 1)).toHaveLength(42);
});

test('a week is the one that contains the day', () => {
  expect(listShownDays('week', '2027-03-28', 1)).toEqual([22, 23, 24, 25, 26, 27, 28].map((day) => `2027-03-${day}`));
  expect(listShownDays('week', '2027-03-28', 7)[0]).toBe('2027-03-28');
});

test('pages turn by a week, or by a month of any length', () => {
  expect(turnCalendarPage('week', '2027-03-28', 1)).toBe('2027-04-04');
  expect(turnCalendarPage('month', '2027-01-31', 1)).toBe('2027-02-01');
  expect(turnCalendarPage('month', '2027-01-31', -1)).toBe('2026-12-01');
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
});

test('a day lies between its midnights, however many hours it has', () => {
  const { from, to } = toTimeRange(['2027-03-28']);
  expect([from, to]).toEqual([at('2027-03-28T00:00'), at('2027-03-29T00:00')]);
  // Hours are missing only due to a clock change.
  const day = toDay(new Date('2027-06-01T12:00'));
  expect(Array.from({ length: 24 }, (_, hour) => isHourSkipped(day, hour))).not.toContain(true);
});

test('posts are on their days in order of time; one without a time is on none', () => {
  const late = post({ id: 'late', scheduledAt: at('2027-03-03T18:00') });
  const early = post({ id: 'early', scheduledAt: at('2027-03-03T08:00') });
  const draft = post({ id: 'draft', state: 'draft' });
  const days = postsByDay([late, draft, early]);
  expect([...days.keys()]).toEqual(['2027-03-03']);
  expect(days.get('2027-03-03')?.map(({ post: { id } }) => id)).toEqual(['early', 'late']);
});

test.each<[SocialPost['state'], boolean]>([
  ['scheduled', true],
  ['draft', true],
  ['publishing', false],
  ['published', false],
  ['failed', false],
  ['needs_review', false],
  ['cancelled', false],
])('a post that is %s can be moved: %s', (state, movable) => {
  expect(isMovable({ state, scheduledAt: at('2027-03-03T18:00') })).toBe(movable);
  expect(isMovable({ state, scheduledAt: null })).toBe(false);
});

test('a post moved to another day keeps its time of day', () => {
  const moved = computeMovedTime(post({ scheduledAt: at('2027-03-03T18:20') }), { day: '2027-03-31' }, timeZone);
  expect(moved).toEqual({ scheduledAt: '2027-03-31T18:20', timeZone, at: new Date('2027-03-31T18:20') });
});

test('a post moved to another hour keeps its minutes, and its own zone', () => {
  const there = post({
    scheduledAt: at('2027-06-03T18:20'),
    localTime: '2027-06-04T01:20',
    timeZone: 'Asia/Tokyo',
  });
  expect(computeMovedTime(there, { day: '2027-06-05', hour: 16 }, timeZone)).toEqual({
    scheduledAt: '2027-06-05T23:20',
    timeZone: 'Asia/Tokyo',
    at: new Date('2027-06-05T16:20'),
  });
});

describe('a local time', () => {
  it.each([
    ['2027-06-01T02:30', '2027-06-01T00:30:00.000Z', 'none'],
    ['2027-01-01T02:30', '2027-01-01T01:30:00.000Z', 'none'],
    // Clocks go from 2 to 3: the result is later by as much as they were moved.
    ['2027-03-28T02:30', '2027-03-28T01:30:00.000Z', 'skipped'],
    ['2027-03-28T01:59', '2027-03-28T00:59:00.000Z', 'none'],
    ['2027-03-28T03:00', '2027-03-28T01:00:00.000Z', 'none'],
    // Clocks go from 3 to 2: the first of both is used.
    ['2027-10-31T02:30', '2027-10-31T00:30:00.000Z', 'repeated'],
    ['2027-10-31T03:00', '2027-10-31T02:00:00.000Z', 'none'],
  ])('%s in Berlin is %s (%s)', (local, instant, shift) => {
    expect(resolveWallTime(local, 'Europe/Berlin')).toEqual({ at: new Date(instant), shift });
  });

  it('is rejected if it is incomplete, or its zone is unknown', () => {
    expect(resolveWallTime('2027-03-28T', 'Europe/Berlin')).toBeNull();
    expect(resolveWallTime('2027-03-28T02:30', 'Europe/Nowhere')).toBeNull();
  });
});
