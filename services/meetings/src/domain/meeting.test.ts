import type { ConversationId, MeetingId, UserId } from '@nolo/kit/ids';
import { createIceServers } from './iceServers.ts';
import {
  decideAccess,
  computeEndByPlan,
  isHosting,
  type Meeting,
  type Membership,
  type MeetingJoinCandidate,
} from './meeting.ts';

const host = 'host' as UserId;
const at = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 12, minutes));
const meeting = (settings: Partial<Meeting['settings']> = {}, more: Partial<Meeting> = {}): Meeting => ({
  id: 'm' as MeetingId,
  roomCode: 'ABCDEF',
  codeExpiresAt: null,
  conversationId: 'c' as ConversationId,
  hostId: host,
  name: 'Weekly',
  description: '',
  maxParticipants: 50,
  requestedParticipants: 50,
  scheduledAt: null,
  firstAt: null,
  durationMinutes: 0,
  timeZone: '',
  recurrence: 'none',
  status: 'live',
  closed: false,
  settings: {
    allowRecording: false,
    requireAuth: true,
    waitingRoom: false,
    allowScreenShare: true,
    muteOnEntry: false,
    ...settings,
  },
  locked: false,
  recorderId: null,
  inviteHash: null,
  planMinutes: 40,
  groupId: null,
  startedAt: at(0),
  startedBy: host,
  actingHostId: null,
  endedAt: null,
  endsAt: null,
  createdAt: at(0),
  updatedAt: at(0),
  version: 0,
  ...more,
});

const membership = (role: Membership['role'], more: Partial<Membership> = {}): Membership => ({
  role,
  admitted: false,
  removed: false,
  ...more,
});
const stranger: MeetingJoinCandidate = {
  id: 'x' as UserId,
  isGuest: false,
  membership: undefined,
  holdsInvite: false,
  guarded: false,
  wasInside: false,
};
const who: Record<string, MeetingJoinCandidate> = {
  host: { ...stranger, membership: membership('host') },
  coHost: { ...stranger, membership: membership('co_host') },
  participant: { ...stranger, membership: membership('participant') },
  admitted: { ...stranger, membership: membership('participant', { admitted: true }) },
  removed: { ...stranger, membership: membership('participant', { removed: true }), holdsInvite: true },
  stranger,
  invited: { ...stranger, holdsInvite: true },
  guest: { ...stranger, isGuest: true, membership: membership('guest') },
  admittedGuest: { ...stranger, isGuest: true, membership: membership('guest', { admitted: true }) },
  nobody: { ...stranger, id: undefined },
};
const table = (one: Meeting) =>
  Object.fromEntries(
    Object.entries(who).map(([name, visitor]) => {
      try {
        return [name, decideAccess(one, visitor)];
      } catch (error) {
        return [name, (error as { code: string }).code];
      }
    }),
  );

test('a recent participant bypasses lobby and lock, unless they were removed or it is over', () => {
  const back = (role: Membership['role'], more: Partial<Membership> = {}): MeetingJoinCandidate => ({
    ...stranger,
    membership: membership(role, more),
    isGuest: role === 'guest',
    wasInside: true,
  });
  const locked = meeting({}, { locked: true });
  expect(decideAccess(locked, back('participant'))).toBe('enter');
  expect(decideAccess(locked, back('guest'))).toBe('enter');
  expect(() => decideAccess(locked, back('participant', { removed: true }))).toThrow('removed you');
  expect(() => decideAccess(meeting({}, { closed: true }), back('participant'))).toThrow('has ended');
});

test('a removed co-host no longer hosts', () => {
  expect(
    [membership('host'), membership('co_host'), membership('participant'), membership('guest'), undefined].map(
      isHosting,
    ),
  ).toEqual([true, true, false, false, false]);
  expect(isHosting(membership('co_host', { removed: true }))).toBe(false);
});

describe('admission', () => {
  const open = {
    host: 'enter',
    coHost: 'enter',
    participant: 'enter',
    admitted: 'enter',
    removed: 'removed',
    stranger: 'enter',
    invited: 'enter',
    guest: 'wait',
    admittedGuest: 'enter',
    nobody: 'sign_in_required',
  };

  test('an open meeting admits everyone with an account', () => {
    expect(table(meeting())).toEqual(open);
  });

  test('guests ask to join if the host allows them', () => {
    expect(table(meeting({ requireAuth: false }))).toEqual({ ...open, nobody: 'guest' });
  });

  test("an invite or a host's admission gets people past the waiting room", () => {
    expect(table(meeting({ waitingRoom: true }))).toEqual({ ...open, participant: 'wait', stranger: 'wait' });
  });

  test('a code alone does not admit while codes are being guessed, and an invite does', () => {
    const one = meeting();
    expect(decideAccess(one, { ...stranger, guarded: true })).toBe('wait');
    expect(decideAccess(one, { ...stranger, guarded: true, holdsInvite: true })).toBe('enter');
    expect(() => decideAccess(meeting({}, { locked: true }), { ...stranger, guarded: true })).toThrow('locked');
  });

  test('a locked meeting admits hosts and those already admitted', () => {
    const no = 'meeting_locked';
    expect(table(meeting({}, { locked: true }))).toEqual({
      ...open,
      participant: no,
      stranger: no,
      invited: no,
      guest: no,
    });
  });

  test('a closed meeting admits nobody', () => {
    expect(new Set(Object.values(table(meeting({}, { closed: true }))))).toEqual(new Set(['meeting_over']));
  });
});

describe("a plan's time limit", () => {
  const rules = { people: 3, warningMinutes: 5 };

  test('starts with the meeting and applies from the third person', () => {
    expect(computeEndByPlan(meeting(), 2, at(10), rules)).toBeNull();
    expect(computeEndByPlan(meeting(), 3, at(10), rules)).toEqual(at(40));
    expect(computeEndByPlan(meeting({}, { planMinutes: null }), 3, at(10), rules)).toBeNull();
  });

  test('warns late joiners, and does not restart', () => {
    expect(computeEndByPlan(meeting(), 3, at(50), rules)).toEqual(at(55));
    expect(computeEndByPlan(meeting({}, { endsAt: at(40) }), 4, at(39), rules)).toEqual(at(40));
  });
});

test('TURN credentials are derived from the secret, the user and the time', () => {
  const now = new Date(1_700_000_000_000);
  const servers = createIceServers(
    ['stun:a.example', 'turn:a.example', 'turns:b.example'],
    'secret-of-turn-server',
    'u' as UserId,
    now,
  );
  expect(servers).toEqual([
    { urls: ['stun:a.example'] },
    {
      urls: ['turn:a.example', 'turns:b.example'],
      username: '1700043200:u',
      // printf %s 1700043200:u | openssl dgst -sha1 -hmac secret-of-turn-server -binary | base64
      credential: 'MntJQr/EFYoS2rQtps62z36Iykc=',
    },
  ]);
  expect(createIceServers([], 'secret-of-turn-server', 'u' as UserId, now)).toEqual([]);
});
