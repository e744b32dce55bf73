import { clientEvents, closeCodes, type ClientEventName } from '@nolo/api';
import { signInByPhone, signUpByPhone, TestSocket } from '@nolo/testing';
import {
  createAuthorizationCast,
  must,
  readOwnersView,
  sendMessage,
  type CanaryKind,
  type AuthorizationCast,
  type CastRole,
} from '../support/authorization/authorizationCast.ts';
import { unknownId } from '../support/authorization/routeExpectation.ts';
import { createGuestPass, openGuestTestSocket } from '../support/authorization/meetingCast.ts';
import {
  meetingEventExpectations,
  openMeetingRoom,
  type MeetingEvent,
  type LiveMeetingRoom,
} from '../support/authorization/meetingEventTable.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

type Account = Exclude<CastRole, 'anonymous' | 'revoked' | 'deleted'>;
type Signed = Account | 'guest';
/** `ack`, or the error code. */
type Answers = Record<Signed, string>;

interface Expectation {
  /** Builds data that targets the owner's resources. */
  data: (cast: AuthorizationCast) => Record<string, unknown>;
  answers: Answers;
  /** Close code that follows for those who get an error. */
  closes?: number;
}

const accounts: readonly Account[] = ['stranger', 'neighbour', 'blocked', 'removed', 'coHost', 'member', 'owner'];
// The owner is last, because their attempt may change what the others target.
const signed: readonly Signed[] = ['guest', ...accounts];
const all = (answer: string): Answers => Object.fromEntries(signed.map((role) => [role, answer])) as Answers;
const insiders = (outside: string): Answers => ({
  ...all(outside),
  guest: 'guest_refused',
  member: 'ack',
  owner: 'ack',
});
const theirGroup = ({ groupId }: AuthorizationCast) => ({ conversationId: groupId });
const theirConversation = ({ conversationId }: AuthorizationCast) => ({ conversationId });

/** Expectation for every event. A missing one fails the test that reads this. */
const expectations: Record<Exclude<ClientEventName, MeetingEvent>, Expectation> = {
  authenticate: {
    data: ({ owner }) => ({ userId: owner.id }),
    answers: { ...all('wrong_user'), owner: 'ack' },
    closes: closeCodes.wrongUser,
  },
  join_conversation: { data: theirConversation, answers: insiders('conversation_not_found') },
  // Leaving a conversation without having joined it succeeds as a no-op and reveals nothing.
  leave_conversation: { data: theirConversation, answers: { ...all('ack'), guest: 'guest_refused' } },
  join_group_chat: { data: theirGroup, answers: insiders('conversation_not_found') },
  leave_group_chat: { data: theirGroup, answers: { ...all('ack'), guest: 'guest_refused' } },
  group_chat_message: {
    data: (cast) => ({ ...theirGroup(cast), content: 'let me in' }),
    answers: insiders('conversation_not_found'),
  },
  typing_start: { data: theirConversation, answers: insiders('conversation_not_found') },
  typing_stop: { data: theirConversation, answers: insiders('conversation_not_found') },
  // The answer omits conversations of others.
  move_cursors: {
    data: ({ conversationId }) => ({ cursors: [{ conversationId, deliveredSeq: 1 }] }),
    answers: { ...all('ack'), guest: 'guest_refused' },
  },
  ping: { data: () => ({}), answers: all('ack') },
  visibility: { data: () => ({ visible: false }), answers: { ...all('ack'), guest: 'guest_refused' } },
};

const running = openSharedTestStack();
let cast: AuthorizationCast;
let guestCookie: string;

beforeAll(async () => {
  cast = await createAuthorizationCast(running.urls[0]!);
  guestCookie = (await createGuestPass(cast.baseUrl, cast.guestRoomCode)).cookie;
});

const opened: TestSocket[] = [];

async function open(role: Signed): Promise<TestSocket> {
  const socket = await (role === 'guest' ? openGuestTestSocket(cast.baseUrl, guestCookie) : cast[role].connectSocket());
  opened.push(socket);
  if (role === 'guest') return socket;
  await socket.next('hello');
  return socket;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((socket) => socket.close()));
});

describe('the table of expectations', () => {
  it('has an entry for every event and nothing else', () => {
    const named = [...Object.keys(expectations), ...Object.keys(meetingEventExpectations)];
    expect(named.toSorted()).toEqual(Object.keys(clientEvents).toSorted());
  });
});

describe('the upgrade to a socket', () => {
  it.each(['anonymous', 'revoked', 'deleted'] as const)('is refused to someone who is %s', async (role) => {
    await expect(TestSocket.open(cast.baseUrl, cast.apiOf(role).token)).rejects.toThrow('answered with 401');
  });

  it('closes the socket of a revoked session, and of a deleted account', async () => {
    const [one, other] = [await signUpByPhone(cast.baseUrl), await signUpByPhone(cast.baseUrl)];
    const sockets = await Promise.all([one, other].map((person) => person.connectSocket()));
    const elsewhere = await signInByPhone(cast.baseUrl, one.phone);
    must(await elsewhere.api.delete('/api/sessions'), 'Signing the others out');
    must(await other.api.delete('/api/account'), 'The deletion');
    for (const socket of sockets) {
      await socket.next('session_ended');
      expect((await socket.closed).code).toBe(closeCodes.sessionEnded);
    }
  });
});

describe.each(Object.keys(expectations) as (keyof typeof expectations)[])('the event %s', (event) => {
  const { data, answers, closes } = expectations[event];

  it.each(signed)('is answered correctly from the %s', async (role) => {
    const socket = await open(role);
    const answer = await socket.request(event, data(cast));
    expect(answer.type === 'ack' ? 'ack' : answer.data['code']).toBe(answers[role]);
    if (answer.type === 'error' && closes !== undefined) expect((await socket.closed).code).toBe(closes);
  });

  const kept = signed.filter((role) => answers[role] === 'conversation_not_found');
  if (kept.length > 0) {
    it('does not distinguish what is private from what does not exist', async () => {
      for (const role of kept) {
        const socket = await open(role);
        const real = await socket.request(event, { conversationId: cast.conversationId });
        const missing = await socket.request(event, { conversationId: unknownId });
        expect(real.data).toEqual(missing.data);
      }
    });
  }
});

describe.each(Object.keys(meetingEventExpectations) as MeetingEvent[])('the event %s', (event) => {
  const { prepare, data, answers } = meetingEventExpectations[event];
  let room: LiveMeetingRoom;
  let prepared: Record<string, unknown>;

  beforeAll(async () => {
    await running.forgetLimits('socketsPerUser', 'callsPerUser', 'roomCodeMissesPerUser');
    room = await openMeetingRoom(cast, guestCookie);
    prepared = (await prepare?.(cast, room)) ?? {};
  });
  afterAll(() => room.close());

  it.each(signed)('is answered correctly from the %s', async (role) => {
    const socket = await open(role);
    const answer = await socket.request(event, data({ cast, room, prepared, role }));
    expect(answer.type === 'ack' ? 'ack' : answer.data['code']).toBe(answers[role]);
    if (event === 'join_meeting') expect(answer.data['participant'].id === room.participantId).toBe(role === 'owner');
    // The owner is still inside, whatever they tried.
    if (role !== 'owner') await room.expectOwnerInside();
  });

  const kept = signed.filter((role) => ['participant_unknown', 'call_not_found'].includes(answers[role]));
  if (kept.length === 0) return;

  it('does not distinguish what is private from what does not exist', async () => {
    for (const role of kept) {
      const socket = await open(role);
      const aimed = data({ cast, room, prepared, role });
      const real = await socket.request(event, aimed);
      const missing = await socket.request(event, {
        ...aimed,
        ...('participantId' in aimed ? { participantId: unknownId } : { callId: `call-${unknownId}-1` }),
      });
      expect(real.data).toEqual(missing.data);
    }
  });
});

describe('frames', () => {
  /** Content that each account may receive while owner and member do everything that is possible. */
  const shown: Record<Account, readonly CanaryKind[] | 'all'> = {
    stranger: [],
    neighbour: [],
    removed: [],
    blocked: [],
    coHost: [],
    member: ['message', 'status', 'name', 'picture'],
    owner: 'all',
  };

  it('carry nothing about the owner to people it does not concern', async () => {
    const { owner, member, canaries, conversationId } = cast;
    const sockets = Object.fromEntries(
      await Promise.all(accounts.map(async (role) => [role, await open(role)] as const)),
    ) as Record<Account, TestSocket>;
    const before = await readOwnersView(cast);
    for (const role of ['stranger', 'neighbour', 'blocked'] as const) {
      const own = role === 'blocked' ? cast.blockedConversationId : cast.neighbourConversationId;
      // Each subscribes to as much as it can.
      for (const id of [conversationId, own, unknownId])
        await sockets[role].request('join_conversation', { conversationId: id });
      await sockets[role].request('typing_start', { conversationId });
    }
    expect(await readOwnersView(cast)).toEqual(before);
    for (const role of ['owner', 'member'] as const)
      await sockets[role].request('join_conversation', { conversationId });

    await sockets.owner.request('typing_start', { conversationId });
    await sockets.member.next('typing_start', ({ userId }) => userId === owner.id);
    const message = await sendMessage(owner, conversationId, `live ${canaries.message}`);
    const edited = { content: `edited ${canaries.message}` };
    must(await owner.api.patch(`/api/messages/${message.id}`, edited), 'The edit');
    must(await member.api.put(`/api/conversations/${conversationId}/cursor`, { readSeq: message.seq }), 'The cursor');
    must(await owner.api.delete(`/api/messages/${message.id}`), 'The erasure');
    must(
      await owner.api.put('/api/profile', { presenceStatus: 'busy', statusMessage: `${canaries.status} 2` }),
      'Presence',
    );
    await sockets.member.next(
      'presence',
      ({ userId, presenceStatus }) => userId === owner.id && presenceStatus === 'busy',
    );
    // Last message, in order behind everything before it.
    await sendMessage(owner, conversationId, `last ${canaries.message}`);
    await sockets.member.next('new_message', ({ content }) => String(content).startsWith('last'));
    await sockets.owner.next('new_message', ({ content }) => String(content).startsWith('last'));
    for (const role of accounts) await sockets[role].request('ping');

    for (const role of accounts) {
      const allowed = shown[role];
      const text = JSON.stringify(sockets[role].frames);
      const leaks = (Object.entries(canaries) as [CanaryKind, string][]).filter(
        ([canary, value]) => allowed !== 'all' && !allowed.includes(canary) && text.includes(value),
      );
      expect({ role, leaks }).toEqual({ role, leaks: [] });
      const inTheirs = sockets[role].frames.filter(
        ({ type, data }) => data['conversationId'] === conversationId && type !== 'ack',
      );
      if (role !== 'member' && role !== 'owner') expect(inTheirs).toEqual([]);
    }
    const types = sockets.member.frames.map(({ type }) => type);
    for (const type of ['typing_start', 'new_message', 'message_updated', 'presence']) expect(types).toContain(type);
    // Typing events are not sent back to their author.
    expect(sockets.owner.frames.map(({ type }) => type)).not.toContain('typing_start');
  });

  it('reach only those viewing the conversation, for typing', async () => {
    const [owner, member] = [await open('owner'), await open('member')];
    await owner.request('join_conversation', { conversationId: cast.conversationId });
    await owner.request('typing_start', { conversationId: cast.conversationId });
    await sendMessage(cast.owner, cast.conversationId, 'after the typing');
    await member.next('new_message', ({ content }) => content === 'after the typing');
    expect(member.frames.filter(({ type }) => type.startsWith('typing'))).toEqual([]);
  });

  it('stop at a block, for presence', async () => {
    const { owner, blocked } = cast;
    must(await blocked.api.post('/api/contacts', { userId: owner.id }), 'The contact');
    must(await owner.api.put('/api/profile/privacy', { presenceVisibility: 'everyone' }), 'The privacy');
    const [watcher, member] = [await open('blocked'), await open('member')];
    await open('owner');
    must(await owner.api.put('/api/profile', { presenceStatus: 'away' }), 'Presence');
    await member.next('presence', ({ userId, presenceStatus }) => userId === owner.id && presenceStatus === 'away');
    const { body } = await blocked.api.get(`/api/users/${owner.id}`);
    expect(body).toMatchObject({ presenceStatus: 'offline', statusMessage: '', isOnline: false });
    const presenceFrames = watcher.frames.filter(
      ({ type, data }) => type === 'presence' && data['userId'] === owner.id,
    );
    expect(
      presenceFrames.filter(({ data }) => data['presenceStatus'] !== 'offline' || data['statusMessage'] !== ''),
    ).toEqual([]);
  });
});
