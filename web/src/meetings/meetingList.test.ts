import { testMeeting, testUser } from '../testing/testMeeting.ts';
import { listMeetingActions, countMeetings, toEntranceAction, selectFaces } from './meetingList.ts';

test.each([
  ['live', true, 'join'],
  ['live', false, 'join'],
  ['created', true, 'start'],
  ['created', false, null],
  ['scheduled', true, 'start'],
  ['scheduled', false, null],
  ['completed', true, null],
  ['cancelled', true, null],
] as const)('%s, host %s: %s', (status, isHost, entrance) => {
  expect(toEntranceAction(testMeeting({ status, isHost }))).toBe(entrance);
});

test('someone who is not a host can share, and nothing more', () => {
  const actions = listMeetingActions(
    testMeeting({ isHost: false, hostId: 'amara', scheduledAt: '2026-05-04T09:00:00Z' }),
    'me',
    false,
  );
  expect(actions).toEqual([['copyLink', 'copyCode', 'share', 'calendar']]);
});

test('a host edits, invites, changes the code, and cancels what has not started', () => {
  expect(listMeetingActions(testMeeting(), 'me', false).slice(1)).toEqual([['edit', 'invite', 'code'], ['cancel']]);
});

test('a live meeting is ended, not cancelled', () => {
  expect(listMeetingActions(testMeeting({ status: 'live' }), 'me', false).slice(1)).toEqual([
    ['edit', 'invite', 'code'],
    ['end'],
  ]);
});

test('only the host cancels: a co-host does not', () => {
  expect(listMeetingActions(testMeeting({ hostId: 'amara' }), 'me', false).flat()).not.toContain('cancel');
});

test('a meeting that is over has no code to share', () => {
  expect(listMeetingActions(testMeeting({ status: 'cancelled' }), 'me', false)).toEqual([]);
  expect(listMeetingActions(testMeeting({ status: 'completed', isHost: false }), 'me', false)).toEqual([]);
  expect(listMeetingActions(testMeeting({ status: 'completed', closed: true }), 'me', false)).toEqual([]);
});

test('an expired code is not given away: hosts create a new one', () => {
  const scheduledAt = '2026-05-04T09:00:00Z';
  expect(listMeetingActions(testMeeting({ scheduledAt }), 'me', true)).toEqual([
    ['calendar'],
    ['edit', 'invite', 'newCode'],
    ['cancel'],
  ]);
  expect(listMeetingActions(testMeeting({ isHost: false, hostId: 'amara' }), 'me', true)).toEqual([]);
});

test('three faces at most are shown, with the number of others', () => {
  const participants = ['Amara', 'Thabo', 'Lindiwe', 'Sipho'].map(testUser);
  const { faces, more } = selectFaces(testMeeting({ participants, participantCount: 7 }));
  expect(faces.map(({ displayName }) => displayName)).toEqual(['Amara', 'Thabo', 'Lindiwe']);
  expect(more).toBe(4);
  expect(selectFaces(testMeeting())).toEqual({ faces: [], more: 0 });
});

describe('counters of meetings', () => {
  const live = testMeeting({ id: 'a', status: 'live' });
  const planned = testMeeting({ id: 'b', scheduledAt: '2026-05-04T09:00:00Z' });
  const past = testMeeting({ id: 'c', status: 'completed' });

  test('are exact once everything is loaded', () => {
    expect(countMeetings([live, planned], true)).toEqual({
      live: { count: 1, exact: true },
      scheduled: { count: 1, exact: true },
    });
  });

  test('are exact as soon as the next group has started', () => {
    expect(countMeetings([live, planned], false)).toEqual({
      live: { count: 1, exact: true },
      scheduled: { count: 1, exact: false },
    });
    expect(countMeetings([live, planned, past], false).scheduled.exact).toBe(true);
    expect(countMeetings([live], false).live.exact).toBe(false);
  });

  test('exclude meetings without a time, and stay inexact while more may follow', () => {
    const anyTime = testMeeting({ id: 'd', scheduledAt: null });
    expect(countMeetings([live, planned, anyTime], true).scheduled).toEqual({ count: 1, exact: true });
    expect(countMeetings([live, planned, anyTime], false).scheduled).toEqual({ count: 1, exact: false });
  });
});
