import { testMeeting } from '../testing/testMeeting.ts';
import { formatDuration, findMeetingMoment, formatPlannedTime } from './meetingTimes.ts';

const now = new Date(2026, 4, 4, 14, 0).getTime();

test.each([
  [45, '45 min'],
  [60, '1 hr'],
  [90, '1 hr 30 min'],
  [0, '0 min'],
])('%d minutes: %s', (minutes, words) => {
  expect(formatDuration(minutes, 'en')).toBe(words);
});

test('a scheduled time shows day and hour, and its year only if that is another', () => {
  expect(formatPlannedTime(new Date(2026, 4, 6, 9, 30).getTime(), now, 'en-US')).toMatch(/^Wed, May 6, 9:30\sAM$/);
  expect(formatPlannedTime(new Date(2027, 4, 6, 9, 30).getTime(), now, 'en-US')).toContain('2027');
});

test('a card shows the start of a live meeting, the time of a scheduled one and the end of a past one', () => {
  const times = {
    startedAt: '2026-05-04T10:00:00Z',
    scheduledAt: '2026-05-04T09:00:00Z',
    endedAt: '2026-05-04T11:00:00Z',
  };
  expect(findMeetingMoment(testMeeting({ ...times, status: 'live' }))).toBe(times.startedAt);
  expect(findMeetingMoment(testMeeting({ ...times, status: 'scheduled' }))).toBe(times.scheduledAt);
  expect(findMeetingMoment(testMeeting({ ...times, status: 'completed' }))).toBe(times.endedAt);
  expect(findMeetingMoment(testMeeting())).toBeNull();
});
