import { randomUUID } from 'node:crypto';
import { limits } from '@nolo/rules';
import {
  eventually,
  randomPhone,
  signUpByPhone,
  TestApi,
  type Json,
  type TestReply,
  type TestUser,
} from '@nolo/testing';
import { openAcceptedConversation, must, sendMessage } from '../support/authorization/authorizationCast.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

const running = openSharedTestStack();
let anonymous: TestApi;
let ann: TestUser;
let ben: TestUser;
let conversationId: string;

beforeAll(async () => {
  anonymous = new TestApi(running.urls[0]!);
  [ann, ben] = (await Promise.all(running.urls.map((url) => signUpByPhone(url)))) as [TestUser, TestUser];
  conversationId = await openAcceptedConversation(ann, ben);
});

afterEach(async () => {
  await Promise.all([ann?.disconnect(), ben?.disconnect()]);
});

/** Creates a conversation between Ann and a new user. */
async function fresh(): Promise<{ id: string; other: TestUser }> {
  const other = await signUpByPhone(running.urls[0]!);
  return { id: await openAcceptedConversation(ann, other), other };
}

async function opened(user: TestUser) {
  const socket = await user.connectSocket();
  await socket.next('hello');
  return socket;
}

function expectRefusal(reply: TestReply, status: number, code: string): void {
  expect({ status: reply.status, code: reply.body?.code }).toEqual({ status, code });
  expect(typeof reply.body.message).toBe('string');
  expect(reply.body.message).not.toBe('');
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
}

describe('an instance', () => {
  it('publishes its configuration, with the demo code in demo mode', async () => {
    const { status, body } = await anonymous.get('/api/config');
    expect(status).toBe(200);
    expect(body).toMatchObject({ demoMode: true, demoCode: '424242', limits: { ...limits } });
    expect(Object.values(body.features as object).every((feature) => typeof feature === 'boolean')).toBe(true);
    expect(body.features).toMatchObject({ phoneSignIn: true, chat: true });
  });

  it('reports that it is healthy, with the state of every component', async () => {
    const { status, body } = await anonymous.get('/healthz');
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'ready', missing: [] });
    expect(Object.values(body.parts as Record<string, Json>).filter((component) => component.ok !== true)).toEqual([]);
    expect(Object.keys(body.parts)).toEqual(expect.arrayContaining(['identity', 'chat', 'files', 'media']));
  });
});

describe('a message', () => {
  it('is returned in full, and reaches every socket of a member without a join', async () => {
    const sockets = await Promise.all([opened(ben), opened(ben), opened(ann)]);
    const clientMessageId = randomUUID();
    const sent = await ann.api.post('/api/messages', { conversationId, content: 'hello', clientMessageId });
    expect(sent.status).toBe(201);
    expect(sent.body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      conversationId,
      senderId: ann.id,
      content: 'hello',
      encryption: 'none',
      messageType: 'text',
      clientMessageId,
      editedAt: null,
      deletedAt: null,
    });
    for (const key of ['seq', 'changeSeq']) expect(Number.isInteger(sent.body[key])).toBe(true);
    expect(new Date(sent.body.createdAt).toISOString()).toBe(sent.body.createdAt);
    for (const socket of sockets) {
      expect((await socket.next('new_message', ({ id }) => id === sent.body.id)).data).toEqual(sent.body);
    }
  });

  it('crosses from one gateway replica to the other and back', async () => {
    expect(ann.api.baseUrl).not.toBe(ben.api.baseUrl);
    const [annSocket, benSocket] = [await opened(ann), await opened(ben)];
    const there = await sendMessage(ann, conversationId, 'there');
    expect((await benSocket.next('new_message', ({ id }) => id === there.id)).data).toEqual(there);
    const back = await sendMessage(ben, conversationId, 'and back');
    expect((await annSocket.next('new_message', ({ id }) => id === back.id)).data).toEqual(back);
  });

  it('is one message however often it is sent with the same client id, also concurrently', async () => {
    const { id, other } = await fresh();
    const body = { conversationId: id, content: 'once', clientMessageId: randomUUID() };
    const replies = await Promise.all([
      ...Array.from({ length: 5 }, () => ann.api.post('/api/messages', body)),
      new TestApi(running.urls[1]!, ann.api.token).post('/api/messages', body),
    ]);
    const retry = await ann.api.post('/api/messages', body);
    for (const reply of [...replies, retry]) expect(must(reply, 'The message').body).toEqual(replies[0]?.body);
    const messages = (await ann.api.get(`/api/conversations/${id}/messages`)).body;
    expect(messages).toEqual([replies[0]?.body]);
    // Ids are unique per sender.
    expect(must(await other.api.post('/api/messages', body), 'The same id').body.id).not.toBe(replies[0]?.body.id);
    const elsewhere = await ann.api.post('/api/messages', { ...body, conversationId });
    expectRefusal(elsewhere, 409, 'client_message_id_reused');
  });

  it('needs no client id', async () => {
    const { id } = await fresh();
    const [one, two] = [await sendMessage(ann, id, 'same'), await sendMessage(ann, id, 'same')];
    expect(one.clientMessageId).toBeNull();
    expect(two.id).not.toBe(one.id);
  });

  it('gets the next seq of its conversation, without gaps from 1, whatever the sender, gateway and time', async () => {
    const { id, other } = await fresh();
    const elsewhere = new TestApi(running.urls[1]!, other.api.token);
    const sent = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        [ann.api, other.api, elsewhere][index % 3]!.post('/api/messages', { conversationId: id, content: `${index}` }),
      ),
    );
    const seqs = sent.map((reply) => must(reply, 'A message').body.seq as number);
    expect(seqs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });
});

describe('paging through messages', () => {
  let id: string;
  const page = (query: string) => ann.api.get(`/api/conversations/${id}/messages${query}`);
  const seqsOf = (reply: TestReply) => (reply.body as { seq: number }[]).map(({ seq }) => seq);
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

  beforeAll(async () => {
    ({ id } = await fresh());
    for (let index = 1; index <= 120; index += 1) await sendMessage(ann, id, `text ${index}`);
  });

  it.each([
    ['the newest', '?limit=10', range(111, 120), true],
    ['before a seq', '?before=20&limit=10', range(10, 19), true],
    ['before the start of a page', '?before=5&limit=10', range(1, 4), false],
    ['after a seq', '?after=50&limit=10', range(51, 60), true],
    ['after the last but one', '?after=119', [120], false],
    ['after the last', '?after=120', [], false],
    ['from the beginning', '?after=0&limit=100', range(1, 100), true],
    ['as many as allowed', '?limit=100', range(21, 120), true],
  ])('selects messages: %s', async (_, query, seqs, hasMore) => {
    const reply = must(await page(query), 'The page');
    expect(seqsOf(reply)).toEqual(seqs);
    expect(reply.headers.has('nolo-next-cursor')).toBe(hasMore);
  });

  it('is compressed, unlike responses that mix the words of different people', async () => {
    const encodingOf = ({ headers }: TestReply) => headers.get('content-encoding');
    expect(encodingOf(must(await page('?limit=100'), 'The page'))).toMatch(/^(br|gzip)$/);
    for (const path of ['/api/conversations', `/api/conversations/${id}/changes?since=0`]) {
      expect([path, encodingOf(must(await ann.api.get(path), path))]).toEqual([path, null]);
    }
  });

  it.each([
    ['', range(1, 120).toReversed()],
    ['after=0&', range(1, 120)],
  ])('follows the cursor page by page, from "%s"', async (start, seqs) => {
    const seen: number[] = [];
    let query = `?${start}limit=50`;
    for (let pages = 0; pages < 3; pages += 1) {
      const reply = must(await page(query), 'The page');
      const found = seqsOf(reply);
      seen.push(...(start === '' ? found.toReversed() : found));
      const cursor = reply.headers.get('nolo-next-cursor');
      expect(cursor === null).toBe(pages === 2);
      query = `?cursor=${encodeURIComponent(cursor ?? '')}&limit=50`;
    }
    expect(seen).toEqual(seqs);
    expectRefusal(await page('?cursor=sideways.3'), 400, 'cursor_invalid');
  });

  it.each(['?limit=101', '?limit=0', '?limit=-1', '?limit=x', '?limit=1.5', '?before=-1', '?after=x', '?limit='])(
    'refuses the query %s',
    async (query) => expectRefusal(await page(query), 400, 'invalid_input'),
  );
});

describe('changes missed during a disconnect', () => {
  it('are listed since the last changeSeq: new messages, edits, erasures, receipts', async () => {
    const { id, other } = await fresh();
    const one = await sendMessage(ann, id, 'one');
    const two = await sendMessage(ann, id, 'two');
    const socket = await opened(other);
    socket.cut();
    const since = two.changeSeq as number;
    must(await ann.api.patch(`/api/messages/${one.id}`, { content: 'one, edited' }), 'The edit');
    must(await ann.api.delete(`/api/messages/${two.id}`), 'The erasure');
    const three = await sendMessage(ann, id, 'three');
    must(await ann.api.put(`/api/conversations/${id}/cursor`, { readSeq: 3 }), 'The cursor');

    await opened(other);
    const all: Json[] = [];
    let knownSeq = since;
    for (let more = true; more;) {
      const { body } = must(
        await other.api.get(`/api/conversations/${id}/changes?since=${knownSeq}&limit=2`),
        'Changes',
      );
      all.push(...(body.changes as Json[]));
      expect(body.changeSeq).toBeGreaterThanOrEqual(knownSeq);
      knownSeq = body.changeSeq as number;
      more = body.hasMore as boolean;
    }
    const order = all.map((change) => change.changeSeq as number);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(new Set(order).size).toBe(order.length);
    const messages = Object.fromEntries(
      all.filter(({ type }) => type === 'message').map(({ message }) => [message.seq as number, message]),
    );
    expect(messages[1]).toMatchObject({ id: one.id, content: 'one, edited' });
    expect(messages[2]).toMatchObject({ id: two.id, content: '' });
    expect(messages[2].deletedAt).not.toBeNull();
    expect(messages[3]).toEqual(three);
    const { body: row } = await other.api.get(`/api/conversations/${id}`);
    expect(knownSeq).toBe(row.changeSeq);
    const { body: nothing } = await other.api.get(`/api/conversations/${id}/changes?since=${knownSeq}`);
    expect(nothing).toEqual({ changes: [], changeSeq: knownSeq, hasMore: false, settings: expect.any(Object) });
  });
});

// The gateway's tests cover what the gateway itself refuses.
describe('errors', () => {
  const somewhere = randomUUID();
  it.each<[string, number, string, () => Promise<TestReply>]>([
    [
      'a blank message',
      400,
      'message_blank',
      () => ann.api.post('/api/messages', { conversationId, content: ' \n\u200b' }),
    ],
    ['an unknown conversation', 404, 'conversation_not_found', () => ann.api.get(`/api/conversations/${somewhere}`)],
    [
      'a message to an unknown conversation',
      404,
      'conversation_not_found',
      () => ann.api.post('/api/messages', { conversationId: somewhere, content: 'x' }),
    ],
    [
      'a conversation with yourself',
      400,
      'conversation_with_self',
      () => ann.api.post('/api/conversations', { otherUserId: ann.id }),
    ],
    [
      'content over the limit',
      413,
      'message_too_large',
      () => ann.api.post('/api/messages', { conversationId, content: 'é'.repeat(limits.messageContentBytes / 2 + 1) }),
    ],
  ])('%s is answered %i %s', async (_, status, code, call) => {
    expectRefusal(await call(), status, code);
  });

  it('accepts content right up to the limit', async () => {
    const content = 'é'.repeat(limits.messageContentBytes / 2);
    expect((await sendMessage(ann, conversationId, content)).content).toBe(content);
  });

  it('rejects requests that come too often, with the time to wait', async () => {
    const phoneNumber = randomPhone();
    const send = () => anonymous.post('/api/verification/send', { type: 'sms', phoneNumber });
    for (let times = 0; times < 3; times += 1) must(await send(), 'The code');
    const reply = await send();
    expectRefusal(reply, 429, 'code_send_limited');
    const seconds = Number(reply.headers.get('retry-after'));
    expect(Number.isInteger(seconds) && seconds > 0 && seconds <= 600).toBe(true);
  });
});

// The gateway's tests cover malformed, large and too frequent frames.
describe('the realtime socket', () => {
  it('sends hello first, and answers requests with their id', async () => {
    const socket = await ann.connectSocket();
    expect(socket.frames.length).toBeLessThanOrEqual(1);
    const hello = await socket.next('hello');
    expect(hello.data).toMatchObject({ userId: ann.id });
    expect(socket.frames[0]).toBe(hello);
    expect((await socket.request('authenticate', { userId: ann.id })).type).toBe('ack');
    expect((await socket.request('join_conversation', { conversationId })).type).toBe('ack');
    const wrong = await socket.request('join_conversation', { conversationId: 'x' });
    expect(wrong).toMatchObject({ type: 'error', data: { code: 'invalid_input' } });
    expect((await socket.request('no_such_event')).data['code']).toBe('event_unknown');
  });

  it('reports typing to those who joined, and ends it when the connection ends', async () => {
    const [annSocket, benSocket] = [await opened(ann), await opened(ben)];
    await benSocket.request('join_conversation', { conversationId });
    await annSocket.request('typing_start', { conversationId });
    expect((await benSocket.next('typing_start')).data).toEqual({ conversationId, userId: ann.id });
    annSocket.cut();
    expect((await benSocket.next('typing_stop')).data).toEqual({ conversationId, userId: ann.id });
  });

  it('reports edits, erasures, receipts and the person’s own cursor on other devices', async () => {
    const { id, other } = await fresh();
    const [mine, theirs] = [await opened(ann), await opened(other)];
    const message = await sendMessage(ann, id, 'first');
    const edited = must(await ann.api.patch(`/api/messages/${message.id}`, { content: 'second' }), 'The edit').body;
    expect((await theirs.next('message_updated')).data).toEqual(edited);
    must(await other.api.put(`/api/conversations/${id}/cursor`, { deliveredSeq: 1, readSeq: 1 }), 'The cursor');
    const receipt = await mine.next('receipt', ({ userId, readSeq }) => userId === other.id && readSeq === 1);
    expect(receipt.data).toMatchObject({ conversationId: id });
    expect((await theirs.next('read_cursor')).data).toEqual({ conversationId: id, readSeq: 1, unreadCount: 0 });
    must(await ann.api.delete(`/api/messages/${message.id}`), 'The erasure');
    expect((await theirs.next('message_updated')).data).toMatchObject({ id: message.id, content: '' });
    const row = await eventually(async () => (await ann.api.get(`/api/conversations/${id}`)).body as Json);
    expect(row.lastMessage).toMatchObject({ seq: 1, content: '', timestamp: message.createdAt });
    await other.disconnect();
  });
});
