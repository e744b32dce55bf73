import { eventually, signUpByPhone, type TestSocket, type TestUser } from '@nolo/testing';
import { must, sendMessage, tinyPng } from '../support/authorization/authorizationCast.ts';
import { enterMeetingBySocket } from '../support/authorization/meetingCast.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

const running = openSharedTestStack();
let [host, coHost, member, removed] = [] as unknown as [TestUser, TestUser, TestUser, TestUser];
let sockets: TestSocket[] = [];
let roomCode = '';
let conversationId = '';
/** Id of a message of the host's from before the removal. */
let messageId = '';
let fileUrl = '';

beforeAll(async () => {
  [host, coHost, member, removed] = (await Promise.all(
    Array.from({ length: 4 }, () => signUpByPhone(running.urls[0]!)),
  )) as [TestUser, TestUser, TestUser, TestUser];
  const created = must(await host.api.post('/api/meetings/create', { name: 'Weekly' }), 'The meeting').body;
  roomCode = created.roomCode as string;
  conversationId = created.conversationId as string;
  sockets = await Promise.all([host, coHost, member, removed].map((person) => person.connectSocket()));
  for (const socket of sockets) await enterMeetingBySocket(socket, roomCode);
  await moderate(host, 'make_co_host', coHost);
  messageId = (await sendMessage(host, conversationId, 'while they were there')).id as string;
  fileUrl = await sendPicture(host);
  must(
    (await sendMessage(removed, conversationId, 'what they left behind')) && (await removed.api.get(fileUrl)),
    'The picture',
  );
});
afterAll(async () => {
  await Promise.all(sockets.map((socket) => socket.close()));
});

async function moderate(who: TestUser, action: string, about: TestUser) {
  const reply = await who.api.post(`/api/meetings/${roomCode}/moderation`, { action, userId: about.id });
  must(reply, `To ${action}`);
}

async function sendPicture(who: TestUser): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([tinyPng], { type: 'image/png' }), 'one.png');
  const { url } = must(await who.api.request('POST', '/api/upload-media', { body: form }), 'The upload').body as {
    url: string;
  };
  const body = { conversationId, content: '', messageType: 'image', fileUrl: url };
  return must(await who.api.post('/api/messages', body), 'The message').body.fileUrl as string;
}

it('is out of the meeting’s conversation: reads, writes and receives nothing', async () => {
  const [, , , socket] = sockets as [TestSocket, TestSocket, TestSocket, TestSocket];
  await moderate(host, 'remove', removed);
  await socket.next('conversation_removed');
  const path = `/api/conversations/${conversationId}`;
  const attempts: [string, string, unknown?][] = [
    ['GET', path],
    ['GET', `${path}/messages`],
    ['GET', `${path}/changes?since=0`],
    ['GET', `${path}/pinned`],
    ['PATCH', `${path}/settings`, { markedUnread: true }],
    ['POST', '/api/messages', { conversationId, content: 'still here' }],
    ['PUT', `/api/messages/${messageId}/reaction`, { emoji: '👍' }],
    ['PUT', `/api/messages/${messageId}/star`],
  ];
  const seen = [];
  for (const [method, address, body] of attempts) {
    const reply = await removed.api.request(method, address, body === undefined ? {} : { body });
    seen.push([method, address, reply.status]);
  }
  expect(seen).toEqual(attempts.map(([method, address]) => [method, address, 404]));
  // An event notifies the files service.
  await eventually(async () => (await removed.api.get(fileUrl)).status === 404);
  for (const event of ['join_conversation', 'typing_start'] as const) {
    const { data } = await socket.request(event, { conversationId });
    expect(data['code']).toBe('conversation_not_found');
  }
  const { data } = await socket.request('join_meeting', { roomCode });
  expect(data['code']).toBe('removed');
  const listed = (await removed.api.get('/api/meetings')).body as { roomCode: string }[];
  expect(listed).toEqual([]);
  const { id } = await sendMessage(host, conversationId, 'said afterwards');
  const [, , memberSocket] = sockets as [TestSocket, TestSocket, TestSocket, TestSocket];
  await memberSocket.next('new_message', (message) => message['id'] === id);
  // Answers come after all earlier frames.
  await socket.request('ping', {});
  expect(socket.frames.some(({ type, data: frameData }) => type === 'new_message' && frameData['id'] === id)).toBe(
    false,
  );
});

it('is readmitted by a co-host and back in the conversation; removed again, they are out of it', async () => {
  const [, , , socket] = sockets as [TestSocket, TestSocket, TestSocket, TestSocket];
  const path = `/api/meetings/${roomCode}/removed`;
  expect((await coHost.api.get(path)).body).toEqual([
    { userId: removed.id, user: expect.objectContaining({ id: removed.id }), removedAt: expect.any(String) },
  ]);
  await moderate(coHost, 'readmit', removed);
  await moderate(coHost, 'readmit', removed);
  expect((await host.api.get(path)).body).toEqual([]);
  // A durable event notifies chat, and entering joins the conversation.
  await eventually(async () => {
    await enterMeetingBySocket(socket, roomCode);
    return (await removed.api.get(`/api/conversations/${conversationId}/messages`)).status === 200;
  });
  expect((await removed.api.get(fileUrl)).status).toBe(200);
  await moderate(host, 'remove', removed);
  await eventually(async () => (await removed.api.get(`/api/conversations/${conversationId}/messages`)).status === 404);
});

it('stays out after the meeting has ended', async () => {
  must(await host.api.post(`/api/meetings/${roomCode}/end`), 'The end');
  expect((await removed.api.get(`/api/conversations/${conversationId}/messages`)).status).toBe(404);
  expect((await removed.api.post('/api/messages', { conversationId, content: 'now?' })).status).toBe(404);
  expect((await member.api.get(`/api/conversations/${conversationId}/messages`)).status).toBe(200);
});

it('leaves messages that hosts and co-hosts can delete, and nobody else', async () => {
  const memberMessageId = (await sendMessage(member, conversationId, 'rude')).id as string;
  const secondMessageId = (await sendMessage(member, conversationId, 'rude again')).id as string;
  const { body } = await host.api.get(`/api/conversations/${conversationId}/messages`);
  const messages = body as { id: string; senderId: string; messageType: string }[];
  const left = messages.find(({ senderId, messageType }) => senderId === removed.id && messageType === 'text')!.id;
  expect((await member.api.delete(`/api/messages/${left}`)).status).toBe(403);
  expect((await host.api.delete(`/api/messages/${left}`)).status).toBe(200);
  expect((await host.api.delete(`/api/messages/${memberMessageId}`)).status).toBe(200);
  // A durable event notifies chat that the participant is a co-host.
  await eventually(async () => (await coHost.api.delete(`/api/messages/${secondMessageId}`)).status === 200);
});
