import { exportOf, signUpByPhone, type Json, type TestUser } from '@nolo/testing';
import { openAcceptedConversation, must } from '../support/authorization/authorizationCast.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

/**
 * Checks that the gateway wraps message content in an envelope, which other services store and forward without opening
 * it (ADR 16).
 */

const running = openSharedTestStack();
let ann: TestUser;
let ben: TestUser;
let conversationId: string;

beforeAll(async () => {
  [ann, ben] = (await Promise.all(running.urls.map((url) => signUpByPhone(url)))) as [TestUser, TestUser];
  conversationId = await openAcceptedConversation(ann, ben);
});
afterEach(async () => {
  await ben?.disconnect();
});

async function listening(user: TestUser) {
  const socket = await user.connectSocket();
  await socket.next('hello');
  return socket;
}

const send = async (body: object) =>
  must(await ann.api.post('/api/messages', { conversationId, ...body }), 'A message').body as Json;
const pageOf = async (user: TestUser) =>
  (await user.api.get(`/api/conversations/${conversationId}/messages`)).body as Json[];

test('a field unknown to servers passes between clients: live, in pages, in lists and in exports', async () => {
  const socket = await listening(ben);
  const extra = { poll: { question: 'Where?', options: ['Here', 'There'] }, effect: null };
  const sent = await send({ content: 'A poll', extra });
  expect(sent).toMatchObject({ content: 'A poll', extra });

  const frame = await socket.next('new_message');
  expect(frame.data).toEqual({ ...sent, sender: null });
  expect((await pageOf(ben)).at(-1)).toEqual(sent);
  const { body: row } = await ben.api.get(`/api/conversations/${conversationId}`);
  expect(row.lastMessage).toEqual({ ...sent, timestamp: sent.createdAt });
  // The archive contains the envelope as the server does, which never reads it.
  const { messages } = (await exportOf(ben)).data as unknown as { messages: Json[] };
  expect(messages.at(-1)).toMatchObject({ id: sent.id, encryption: 'none', content: expect.stringMatching(/^\{/) });
});

test('an edit of the text keeps an unknown field, and an edit that names the field changes it', async () => {
  const { id } = await send({ content: 'A poll', linkPreview: '{"url":"https://a.example"}', extra: { poll: 1 } });
  const socket = await listening(ben);
  const edit = async (body: object) => must(await ann.api.patch(`/api/messages/${id}`, body), 'An edit').body as Json;
  const edited = await edit({ content: 'A better poll' });
  expect(edited).toMatchObject({ content: 'A better poll', linkPreview: expect.any(String), extra: { poll: 1 } });
  expect((await socket.next('message_updated')).data).toEqual({ ...edited, sender: null });
  expect(await edit({ content: 'Poll 2', extra: { poll: 2 } })).toMatchObject({ extra: { poll: 2 } });
  const bare = await edit({ content: 'No poll', extra: null, linkPreview: null });
  expect(bare).toMatchObject({ content: 'No poll', linkPreview: null });
  expect(bare).not.toHaveProperty('extra');
});

test('text that looks like an envelope stays text', async () => {
  const content = '{"v":1,"text":"something else","fileName":"x"}';
  expect(await send({ content })).toMatchObject({ content, fileName: null });
  expect((await pageOf(ben)).at(-1)).toMatchObject({ content, fileName: null });
});

test('an erased message keeps nothing of an unknown field', async () => {
  const { id } = await send({ content: 'A secret', mediaInfo: '{}', extra: { secret: 'plan' } });
  const { body } = await ann.api.delete(`/api/messages/${id}`);
  expect(body).toMatchObject({ content: '', mediaInfo: null });
  expect(JSON.stringify((await pageOf(ben)).at(-1))).not.toMatch(/secret|plan/);
});

test.each([{ extra: { text: 'x' } }, { extra: { v: 2 } }, { extra: [] }])('%j is refused', async (body) => {
  expect(await ann.api.post('/api/messages', { conversationId, content: 'x', ...body })).toMatchObject({
    status: 400,
    body: { code: 'invalid_input' },
  });
});

test('encrypted content has no cleartext stored next to it', async () => {
  const body = { conversationId, content: 'c2VhbGVk', encryption: 'mls' };
  expect((await ann.api.post('/api/messages', { ...body, fileName: 'plans.pdf' })).body.code).toBe('message_invalid');
  expect(await send(body)).toMatchObject({ content: 'c2VhbGVk', encryption: 'mls', fileName: null });
});
