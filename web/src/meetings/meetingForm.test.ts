import { testMeeting } from '../testing/testMeeting.ts';
import {
  toUpdateMeetingRequest,
  toCreateMeetingRequest,
  getDefaultMaxParticipants,
  toMeetingForm,
  parseDateTimeInputs,
  createMeetingForm,
  findFormProblems,
} from './meetingForm.ts';
import { toDateTimeInputs } from '../shell/dateTimeInputs.ts';

const now = new Date(2026, 4, 4, 14, 20);
const named = { ...createMeetingForm(now), name: ' Planning ' };

test('a new meeting is for 50 people, and scheduling it suggests the next full hour', () => {
  expect(createMeetingForm(now)).toMatchObject({
    maxParticipants: null,
    planned: false,
    allowGuests: false,
    date: '2026-05-04',
    time: '15:00',
  });
  expect(createMeetingForm(new Date(2026, 11, 31, 23, 5))).toMatchObject({ date: '2027-01-01', time: '00:00' });
});

test('inputs and a point in time convert both ways', () => {
  expect(parseDateTimeInputs(toDateTimeInputs(new Date(2026, 0, 9, 7, 5)))).toEqual(new Date(2026, 0, 9, 7, 5));
  expect(parseDateTimeInputs({ date: '', time: '07:05' })).toBeNull();
});

test.each(['', '   '])('the name %j counts as missing', (name) => {
  expect(findFormProblems({ ...named, name }, { now, maxPeople: 100 })).toEqual({ name: 'nameMissing' });
});

test.each([
  ['', undefined],
  ['2', undefined],
  ['100', undefined],
  ['1', 'maxParticipants'],
  ['101', 'maxParticipants'],
  ['2.5', 'maxParticipants'],
  ['many', 'maxParticipants'],
])('%j as the maximum of participants: %s', (maxParticipants, problem) => {
  expect(findFormProblems({ ...named, maxParticipants }, { now, maxPeople: 100 }).maxParticipants).toBe(problem);
});

test('an empty maximum means the default', () => {
  expect(toCreateMeetingRequest({ ...named, maxParticipants: '' }, 'UTC').maxParticipants).toBe(50);
});

test('a scheduled meeting needs a time in the future', () => {
  const planned = { ...named, planned: true };
  expect(findFormProblems({ ...planned, time: '' }, { now, maxPeople: 100 }).when).toBe('whenMissing');
  expect(findFormProblems({ ...planned, time: '14:20' }, { now, maxPeople: 100 }).when).toBe('whenPast');
  expect(findFormProblems({ ...planned, time: '14:21' }, { now, maxPeople: 100 })).toEqual({});
  expect(findFormProblems({ ...named, time: '' }, { now, maxPeople: 100 })).toEqual({});
});

test('an instant meeting needs no date, and the payload has the same maximum twice', () => {
  const body = toCreateMeetingRequest(
    { ...named, maxParticipants: '12', allowGuests: true, allowRecording: true },
    'UTC',
  );
  expect(body).toEqual({
    name: 'Planning',
    description: '',
    maxParticipants: 12,
    isRecording: true,
    settings: {
      requireAuth: false,
      waitingRoom: false,
      allowScreenShare: true,
      allowRecording: true,
      muteOnEntry: false,
      maxParticipants: 12,
    },
  });
});

test('a scheduled meeting has a time, a duration, a recurrence and a time zone', () => {
  const body = toCreateMeetingRequest(
    { ...named, planned: true, duration: 45, recurrence: 'weekly' },
    'Africa/Johannesburg',
  );
  expect(body).toMatchObject({
    scheduledAt: new Date(2026, 4, 4, 15, 0).toISOString(),
    duration: 45,
    recurrence: 'weekly',
    timeZone: 'Africa/Johannesburg',
  });
});

describe('editing a meeting', () => {
  const scheduledAt = new Date(2026, 4, 4, 9, 0).toISOString();
  const before = toMeetingForm(
    testMeeting({ name: 'Planning', scheduledAt, duration: 45, recurrence: 'weekly', timeZone: 'Europe/Berlin' }),
    now,
  );

  test('an edit without a change sends nothing', () => {
    expect(toUpdateMeetingRequest(before, { ...before, name: ' Planning ' }, 'UTC')).toBeNull();
  });

  test('only changes are sent, and the date keeps its zone', () => {
    expect(toUpdateMeetingRequest(before, { ...before, name: 'Review' }, 'UTC')).toEqual({ name: 'Review' });
    expect(toUpdateMeetingRequest(before, { ...before, duration: 30 }, 'UTC')).toEqual({ duration: 30 });
    expect(toUpdateMeetingRequest(before, { ...before, time: '16:00' }, 'UTC')).toEqual({
      scheduledAt: new Date(2026, 4, 4, 16, 0).toISOString(),
      timeZone: 'UTC',
    });
  });

  test('settings are sent together', () => {
    expect(toUpdateMeetingRequest(before, { ...before, waitingRoom: true }, 'UTC')?.settings).toMatchObject({
      waitingRoom: true,
      allowScreenShare: true,
    });
  });

  test('a date in the past may stay, but not be chosen', () => {
    expect(findFormProblems({ ...before, name: 'Review' }, { now, maxPeople: 100, unchanged: before })).toEqual({});
    expect(findFormProblems({ ...before, time: '09:30' }, { now, maxPeople: 100, unchanged: before }).when).toBe(
      'whenPast',
    );
  });
});

test('more people than the plan allows are a problem, and the default is within the plan', () => {
  const maxPeople = 4;
  expect(findFormProblems({ ...named, maxParticipants: '5' }, { now, maxPeople }).maxParticipants).toBe(
    'maxParticipants',
  );
  expect(findFormProblems({ ...named, maxParticipants: '4' }, { now, maxPeople })).toEqual({});
  expect(findFormProblems(named, { now, maxPeople })).toEqual({});
  expect(getDefaultMaxParticipants(maxPeople)).toBe(4);
  expect(getDefaultMaxParticipants(100)).toBe(50);
});
