import { clientEvents, closeCodes, type ClientEventName } from '@nolo/api';
import { signInByPhone, signUpByPhone, TestSocket, type TestUser } from '@nolo/testing';
import { gatherCast, must, ownersView, say, type Canary, type Cast, type Role } from '../support/authorizationCast.ts';
import { nowhere } from '../support/authorizationTable.ts';
import { startTestStack, type TestStack } from '../support/testStack.ts';

type Signed = Exclude<Role, 'anonymous' | 'revoked' | 'deleted'>;
/** `ack`, or the code of the error. */
type Answers = Record<Signed, string>;

interface Expectation {
  /** Aimed at what belongs to the owner. */
  data: (cast: Cast) => Record<string, unknown>;
  answers: Answers;
  /** The close code that follows for those who get an error. */
  closes?: number;
}

const signed: readonly Signed[] = ['stranger', 'neighbour', 'blocked', 'member', 'owner'];
const all = (answer: string): Answers => Object.fromEntries(signed.map((role) => [role, answer])) as Answers;
const insiders = (outside: string): Answers => ({ ...all(outside), member: 'ack', owner: 'ack' });
const theirConversation = ({ conversationId }: Cast) => ({ conversationId });

/** An event that is missing here fails the test that reads it. */
const expectations: Record<ClientEventName, Expectation> = {
  authenticate: {
    data: ({ owner }) => ({ userId: owner.id }),
    answers: { ...all('wrong_user'), owner: 'ack' },
    closes: closeCodes.wrongUser,
  },
  join_conversation: { data: theirConversation, answers: insiders('conversation_not_found') },
  // Leaving where one is not is done before it begins; it tells nothing.
  leave_conversation: { data: theirConversation, answers: all('ack') },
  typing_start: { data: theirConversation, answers: insiders('conversation_not_found') },
  typing_stop: { data: theirConversation, answers: insiders('conversation_not_found') },
  ping: { data: () => ({}), answers: all('ack') },
};

let running: TestStack;
let cast: Cast;

beforeAll(async () => {
  running = await startTestStack();
  cast = await gatherCast(running.urls[0]!);
}, 120_000);

afterAll(async () => {
  await running?.stop();
});

const personOf = (role: Signed): TestUser => cast[role];

async function open(person: TestUser): Promise<TestSocket> {
  const socket = await person.connectSocket();
  await socket.next('hello');
  return socket;
}

afterEach(async () => {
  await Promise.all(signed.map((role) => personOf(role).disconnect()));
});

describe('the table', () => {
  it('has an entry for every event and for nothing else', () => {
    expect(Object.keys(expectations).toSorted()).toEqual(Object.keys(clientEvents).toSorted());
  });
});

describe('the upgrade', () => {
  it.each(['anonymous', 'revoked', 'deleted'] as const)('is refused to one who is %s', async (role) => {
    await expect(TestSocket.open(cast.baseUrl, cast.apiOf(role).token)).rejects.toThrow('answered with 401');
  });

  it('closes the socket of a session that is revoked, and of an account that is deleted', async () => {
    const [one, other] = [await signUpByPhone(cast.baseUrl), await signUpByPhone(cast.baseUrl)];
    const sockets = [await open(one), await open(other)];
    const elsewhere = await signInByPhone(cast.baseUrl, one.phone);
    must(await elsewhere.api.delete('/api/sessions'), 'Signing the others out');
    must(await other.api.delete('/api/account'), 'The deletion');
    for (const socket of sockets) {
      await socket.next('session_ended');
      expect((await socket.closed).code).toBe(closeCodes.sessionEnded);
    }
  });
});

describe.each(Object.keys(clientEvents) as ClientEventName[])('%s', (event) => {
  const { data, answers, closes } = expectations[event];

  it.each(signed)('from the %s', async (role) => {
    const socket = await open(personOf(role));
    const answer = await socket.request(event, data(cast));
    expect(answer.type === 'ack' ? 'ack' : answer.data['code']).toBe(answers[role]);
    if (answer.type === 'error' && closes !== undefined) expect((await socket.closed).code).toBe(closes);
  });

  const kept = signed.filter((role) => answers[role] === 'conversation_not_found');
  if (kept.length > 0) {
    it('does not tell what is private from what does not exist', async () => {
      for (const role of kept) {
        const socket = await open(personOf(role));
        const real = await socket.request(event, { conversationId: cast.conversationId });
        const missing = await socket.request(event, { conversationId: nowhere });
        expect(real.data).toEqual(missing.data);
      }
    });
  }
});

describe('frames', () => {
  /** What each may get to see while owner and member do everything that there is to do. */
  const shown: Record<Signed, readonly Canary[] | 'all'> = {
    stranger: [],
    neighbour: [],
    blocked: [],
    member: ['message', 'status', 'name', 'picture'],
    owner: 'all',
  };

  it('carry nothing of the owner to anyone whom it does not concern', async () => {
    const { owner, member, canaries, conversationId } = cast;
    const sockets = Object.fromEntries(
      await Promise.all(signed.map(async (role) => [role, await open(personOf(role))] as const)),
    ) as Record<Signed, TestSocket>;
    const before = await ownersView(cast);
    for (const role of ['stranger', 'neighbour', 'blocked'] as const) {
      const own = role === 'blocked' ? cast.blockedConversationId : cast.neighbourConversationId;
      // They listen as closely as they can.
      for (const id of [conversationId, own, nowhere])
        await sockets[role].request('join_conversation', { conversationId: id });
      await sockets[role].request('typing_start', { conversationId });
    }
    expect(await ownersView(cast)).toEqual(before);
    for (const role of ['owner', 'member'] as const)
      await sockets[role].request('join_conversation', { conversationId });

    await sockets.owner.request('typing_start', { conversationId });
    await sockets.member.next('typing_start', ({ userId }) => userId === owner.id);
    const message = await say(owner, conversationId, `live ${canaries.message}`);
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
    // The last of all, in order behind everything before it.
    await say(owner, conversationId, `last ${canaries.message}`);
    await sockets.member.next('new_message', ({ content }) => String(content).startsWith('last'));
    await sockets.owner.next('new_message', ({ content }) => String(content).startsWith('last'));
    for (const role of signed) await sockets[role].request('ping');

    for (const role of signed) {
      const allowed = shown[role];
      const text = JSON.stringify(sockets[role].frames);
      const leaks = (Object.entries(canaries) as [Canary, string][]).filter(
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
    // One's own typing comes back to nobody.
    expect(sockets.owner.frames.map(({ type }) => type)).not.toContain('typing_start');
  });

  it('of typing reach only those who look at the conversation', async () => {
    const [owner, member] = [await open(cast.owner), await open(cast.member)];
    await owner.request('join_conversation', { conversationId: cast.conversationId });
    await owner.request('typing_start', { conversationId: cast.conversationId });
    await say(cast.owner, cast.conversationId, 'after the typing');
    await member.next('new_message', ({ content }) => content === 'after the typing');
    expect(member.frames.filter(({ type }) => type.startsWith('typing'))).toEqual([]);
  });

  it('of presence stop at a block', async () => {
    const { owner, blocked } = cast;
    must(await blocked.api.post('/api/contacts', { userId: owner.id }), 'The contact');
    must(await owner.api.put('/api/profile/privacy', { presenceVisibility: 'everyone' }), 'The privacy');
    const [watcher, member] = [await open(blocked), await open(cast.member)];
    await open(owner);
    must(await owner.api.put('/api/profile', { presenceStatus: 'away' }), 'Presence');
    await member.next('presence', ({ userId, presenceStatus }) => userId === owner.id && presenceStatus === 'away');
    const { body } = await blocked.api.get(`/api/users/${owner.id}`);
    expect(body).toMatchObject({ presenceStatus: 'offline', statusMessage: '', isOnline: false });
    const told = watcher.frames.filter(({ type, data }) => type === 'presence' && data['userId'] === owner.id);
    expect(told.filter(({ data }) => data['presenceStatus'] !== 'offline' || data['statusMessage'] !== '')).toEqual([]);
  });
});
