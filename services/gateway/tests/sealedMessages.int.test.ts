import { randomBytes, randomUUID } from 'node:crypto';
import { memorySealedChat } from './memorySealedChat.ts';
import { startGateway, type TestGateway } from './startGateway.ts';
import type { TestUser } from '@nolo/testing';

const chat = memorySealedChat();
let gateway: TestGateway;
let user: TestUser;
beforeAll(async () => {
  gateway = await startGateway({}, undefined, { chat: chat.services });
  user = await gateway.signUp();
});
afterEach(() => user.disconnect());
afterAll(() => gateway.stop());

const id = randomUUID();
const bytes = randomBytes(40);
const hash = randomBytes(32);
const given = { sealed: bytes.toString('base64url'), own: [hash.toString('base64url')] };
const stored = { sealed: bytes, own: [hash], targetRow: undefined, version: 0, held: false, draftId: undefined };
const message = { conversationId: id, encryption: 'epochs', clientMessageId: id, sealed: given };
const sealedHeader = { headers: { 'nolo-content': 'sealed' } };

describe.each([
  ['a client that opens envelopes', sealedHeader],
  ['a simple client', {}],
])('for %s', (_, headers) => {
  it('a sealed message has empty content, and its seal beside it', async () => {
    const { status, body } = await user.api.post('/api/messages', message, headers);
    expect([status, body.content, body.encryption, body.sealed]).toEqual([201, '', 'epochs', given.sealed]);
    expect(body.seal).toEqual({
      epoch: 3,
      deviceId: expect.any(String),
      version: 0,
      place: 0,
      own: given.own,
      targetRow: null,
      rowHash: Buffer.alloc(32, 7).toString('base64url'),
      origin: null,
      hasLink: true,
      deletion: null,
      annotations: [expect.objectContaining({ kind: 'reaction', sealed: 'cmVhY3Rpb24', place: 5 })],
      held: false,
      draftId: null,
      draftOrigin: null,
    });
    expect(chat.requests.at(-1)).toMatchObject({ content: '', encryption: 'epochs', sealed: stored, hasLink: false });
  });

  it('frames have it as chat sent it', async () => {
    const socket = await user.connectSocket(headers);
    await socket.next('hello');
    const data = {
      id,
      content: '',
      encryption: 'epochs',
      messageType: 'text',
      sealed: given.sealed,
      seal: { epoch: 3 },
    };
    gateway.deliver({ recipients: [user.id], frame: { type: 'new_message', data } });
    expect((await socket.next('new_message')).data).toMatchObject(data);
  });
});

it('edits, deletions, reactions, pins, and approvals carry what a device sealed', async () => {
  const last = () => chat.requests.at(-1);
  const request = async (method: string, path: string, body?: object) =>
    expect((await user.api.request(method, path, { body })).status).toBeLessThan(300);
  await request('PATCH', `/api/messages/${id}`, {
    encryption: 'epochs',
    sealed: { ...given, version: 2 },
    hasLink: true,
  });
  expect(last()).toMatchObject({ content: '', encryption: 'epochs', sealed: { ...stored, version: 2 }, hasLink: true });
  const signature = randomBytes(64);
  const deletion = { body: given.sealed, signature: signature.toString('base64url') };
  await request('DELETE', `/api/messages/${id}`, { deletion });
  expect(last()).toMatchObject({ messageId: id, deletion: { body: bytes, signature } });
  await request('DELETE', `/api/messages/${id}`);
  expect(last()).toMatchObject({ messageId: id, deletion: undefined });
  const annotation = { sealed: { ...given, targetRow: given.own[0] }, clientMessageId: id };
  const expected = { sealed: { ...stored, targetRow: hash }, clientMessageId: id };
  await request('PUT', `/api/messages/${id}/reaction`, annotation);
  expect(last()).toMatchObject({ emoji: undefined, ...expected });
  await request('PUT', `/api/messages/${id}/pin`, annotation);
  expect(last()).toMatchObject({ pinned: true, ...expected });
  await request('PUT', `/api/messages/${id}/pin`);
  expect(last()).toMatchObject({ pinned: true, sealed: undefined });
  const { conversationId: _, ...approval } = { ...message, sealed: { ...given, draftId: id } };
  await request('POST', `/api/group-chats/${id}/held/${id}`, { approve: true, message: approval });
  expect(last()).toMatchObject({
    heldId: id,
    approve: true,
    message: { conversationId: id, actorId: user.id, sealed: { ...stored, draftId: id } },
  });
});

it.each([
  ['POST', '/api/messages', { ...message, content: 'plain' }, 'message_invalid'],
  ['POST', '/api/messages', { ...message, envelope: '{"v":1}' }, 'message_invalid'],
  ['POST', '/api/messages', { ...message, fileName: 'plans.pdf' }, 'message_invalid'],
  ['PATCH', `/api/messages/${id}`, { encryption: 'epochs', sealed: given, content: 'plain' }, 'message_invalid'],
  ['PATCH', `/api/messages/${id}`, { encryption: 'epochs' }, 'invalid_input'],
  ['PUT', `/api/messages/${id}/reaction`, {}, 'invalid_input'],
  ['PUT', `/api/messages/${id}/reaction`, { emoji: '👍', sealed: given, clientMessageId: id }, 'invalid_input'],
  ['POST', '/api/messages', { ...message, sealed: { ...given, sealed: 'no base64url' } }, 'invalid_input'],
  ['POST', '/api/messages', { ...message, sealed: { ...given, own: ['c2hvcnQ'] } }, 'invalid_input'],
  ['POST', '/api/messages', { ...message, sealed: { sealed: given.sealed } }, 'invalid_input'],
  ['DELETE', `/api/messages/${id}`, { deletion: { body: given.sealed } }, 'invalid_input'],
])('%s %s refuses content beside it, and what has another form', async (method, path, body, code) => {
  const before = chat.requests.length;
  expect(await user.api.request(method, path, { body })).toMatchObject({ status: 400, body: { code } });
  expect(chat.requests).toHaveLength(before);
});
