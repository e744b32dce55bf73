import { testMeeting } from '../testing/testMeeting.ts';
import { changeOf, creationOf, defaultPeople, formOf, inputsOf, momentOf, newForm, problemsOf } from './meetingForm.ts';

const now = new Date(2026, 4, 4, 14, 20);
const named = { ...newForm(now), name: ' Planning ' };

test('a new meeting is for 50 people, and a planned one is offered the next full hour', () => {
  expect(newForm(now)).toMatchObject({
    maxParticipants: null,
    planned: false,
    allowGuests: false,
    date: '2026-05-04',
    time: '15:00',
  });
  expect(newForm(new Date(2026, 11, 31, 23, 5))).toMatchObject({ date: '2027-01-01', time: '00:00' });
});

test('what the inputs say and a moment are the same thing', () => {
  expect(momentOf(inputsOf(new Date(2026, 0, 9, 7, 5)))).toEqual(new Date(2026, 0, 9, 7, 5));
  expect(momentOf({ date: '', time: '07:05' })).toBeNull();
});

test.each(['', '   '])('the name %j is missing', (name) => {
  expect(problemsOf({ ...named, name }, { now, most: 100 })).toEqual({ name: 'nameMissing' });
});

test.each([
  ['', undefined],
  ['2', undefined],
  ['100', undefined],
  ['1', 'maxParticipants'],
  ['101', 'maxParticipants'],
  ['2.5', 'maxParticipants'],
  ['many', 'maxParticipants'],
])('%j as the most participants: %s', (maxParticipants, problem) => {
  expect(problemsOf({ ...named, maxParticipants }, { now, most: 100 }).maxParticipants).toBe(problem);
});

test('no number asks for the default', () => {
  expect(creationOf({ ...named, maxParticipants: '' }, 'UTC').maxParticipants).toBe(50);
});

test('a planned meeting needs a moment that is still to come', () => {
  const planned = { ...named, planned: true };
  expect(problemsOf({ ...planned, time: '' }, { now, most: 100 }).when).toBe('whenMissing');
  expect(problemsOf({ ...planned, time: '14:20' }, { now, most: 100 }).when).toBe('whenPast');
  expect(problemsOf({ ...planned, time: '14:21' }, { now, most: 100 })).toEqual({});
  expect(problemsOf({ ...named, time: '' }, { now, most: 100 })).toEqual({});
});

test('a meeting for now asks for no date, and the payload says the most participants twice alike', () => {
  const body = creationOf({ ...named, maxParticipants: '12', allowGuests: true, allowRecording: true }, 'UTC');
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

test('a planned one says when, how long, how often and where', () => {
  const body = creationOf({ ...named, planned: true, duration: 45, recurrence: 'weekly' }, 'Africa/Johannesburg');
  expect(body).toMatchObject({
    scheduledAt: new Date(2026, 4, 4, 15, 0).toISOString(),
    duration: 45,
    recurrence: 'weekly',
    timeZone: 'Africa/Johannesburg',
  });
});

describe('editing', () => {
  const scheduledAt = new Date(2026, 4, 4, 9, 0).toISOString();
  const before = formOf(
    testMeeting({ name: 'Planning', scheduledAt, duration: 45, recurrence: 'weekly', timeZone: 'Europe/Berlin' }),
    now,
  );

  test('nothing changed is nothing to send', () => {
    expect(changeOf(before, { ...before, name: ' Planning ' }, 'UTC')).toBeNull();
  });

  test('only what changed is sent, and the date keeps its zone', () => {
    expect(changeOf(before, { ...before, name: 'Review' }, 'UTC')).toEqual({ name: 'Review' });
    expect(changeOf(before, { ...before, duration: 30 }, 'UTC')).toEqual({ duration: 30 });
    expect(changeOf(before, { ...before, time: '16:00' }, 'UTC')).toEqual({
      scheduledAt: new Date(2026, 4, 4, 16, 0).toISOString(),
      timeZone: 'UTC',
    });
  });

  test('settings go together', () => {
    expect(changeOf(before, { ...before, waitingRoom: true }, 'UTC')?.settings).toMatchObject({
      waitingRoom: true,
      allowScreenShare: true,
    });
  });

  test('a date that has passed may stay, but not be chosen', () => {
    expect(problemsOf({ ...before, name: 'Review' }, { now, most: 100, unchanged: before })).toEqual({});
    expect(problemsOf({ ...before, time: '09:30' }, { now, most: 100, unchanged: before }).when).toBe('whenPast');
  });
});

test('more people than the plan allows are a problem, and the default fits into it', () => {
  const most = 4;
  expect(problemsOf({ ...named, maxParticipants: '5' }, { now, most }).maxParticipants).toBe('maxParticipants');
  expect(problemsOf({ ...named, maxParticipants: '4' }, { now, most })).toEqual({});
  expect(problemsOf(named, { now, most })).toEqual({});
  expect(defaultPeople(most)).toBe(4);
  expect(defaultPeople(100)).toBe(50);
});
