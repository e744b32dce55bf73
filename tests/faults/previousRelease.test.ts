import { signUpByPhone, type TestSocket, type TestUser } from '@nolo/testing';
import { freePort } from '../../scripts/ports.ts';
import type { Replica } from '../../scripts/stack.ts';
import { enter } from '../support/meetingCast.ts';
import { must } from '../support/must.ts';
import { startTestStack, type TestStack } from '../support/testStack.ts';
import { providePreviousRelease } from '../support/previousRelease.ts';

const previous = providePreviousRelease();
const services = ['identity', 'chat', 'files', 'meetings'] as const;

let stack: TestStack | undefined;

afterEach(async () => {
  await stack?.stop();
  stack = undefined;
});

// Skipped: a checkout without history, as an archive or a shallow clone is, has no previous release.
const whereThereIsOne = previous.root === undefined ? it.skip : it;
if (previous.root === undefined) process.stderr.write(`${previous.why}\n`);

const linkPreview = '{"url":"https://example.org/"}';

async function chat(users: readonly TestUser[], sockets: readonly TestSocket[]): Promise<void> {
  const [ann, ben] = users as [TestUser, TestUser, TestUser];
  const [, hears] = sockets as [TestSocket, TestSocket];
  const conversationId = must(await ann.api.post('/api/conversations', { otherUserId: ben.id }), 'A conversation').body
    .id as string;
  for (const author of [0, 1]) {
    // Fields that only clients read, as the specification has them: null beside plain words, else out of the envelope.
    for (const [kind, said] of Object.entries({ plain: {}, linked: { linkPreview } })) {
      const content = `${kind} from ${author}`;
      const sent = must(
        await users[author]!.api.post('/api/messages', { conversationId, content, ...said }),
        'A message',
      );
      const shown = { content, fileName: null, voiceMessageDuration: null, linkPreview: null, ...said };
      expect(sent.body).toMatchObject(shown);
      // The author's own socket is at the gateway that asked, and so at one of the other release than the chat that tells.
      for (const socket of sockets.slice(0, 2)) {
        const { data } = await socket.next('new_message', (frame) => frame['content'] === content);
        expect(data).toMatchObject(shown);
      }
    }
  }
  const messages = must(await ben.api.get(`/api/conversations/${conversationId}/messages`), 'Messages').body as {
    id: string;
    seq: number;
    senderId: string;
  }[];
  const { id } = messages.findLast(({ senderId }) => senderId === ann.id)!;
  must(await ann.api.request('PATCH', `/api/messages/${id}`, { body: { content: 'edited' } }), 'An edit');
  const edited = await hears.next('message_updated', (data) => data['content'] === 'edited');
  expect(edited.data['linkPreview']).toBe(linkPreview);
  must(await ben.api.put(`/api/messages/${id}/reaction`, { emoji: '👍' }), 'A reaction');
  const cursors = [{ conversationId, readSeq: 2, deliveredSeq: 2 }];
  must(await ann.api.put('/api/conversations/cursors', { cursors }), 'Receipts');
  await hears.next('receipt', (data) => data['userId'] === ann.id && data['readSeq'] === 2);
  const { changes } = must(await ben.api.get(`/api/conversations/${conversationId}/changes?since=0`), 'Changes').body;
  expect(changes.length).toBeGreaterThan(1);
}

async function group(users: readonly TestUser[], sockets: readonly TestSocket[]): Promise<void> {
  const [ann, ben, cas] = users as [TestUser, TestUser, TestUser];
  must(await cas.api.post('/api/contacts', { userId: ann.id }), 'The contact');
  const made = await ann.api.post('/api/groups', { name: 'Both', memberIds: [ben.id, cas.id] });
  const id = must(made, 'A group').body.id as string;
  must(await cas.api.post('/api/messages', { conversationId: id, content: 'to all' }), 'A message');
  for (const socket of sockets) await socket.next('new_message', (data) => data['content'] === 'to all');
  must(await ann.api.delete(`/api/group-chats/${id}/members/${cas.id}`), 'A removal');
  await sockets[2]!.next('conversation_removed', (data) => data['conversationId'] === id);
  expect((await cas.api.get(`/api/conversations/${id}/messages`)).status).toBe(404);
}

async function meet(users: readonly TestUser[], sockets: readonly TestSocket[]): Promise<void> {
  const [ann] = users as [TestUser];
  const [hosts, joins] = sockets as [TestSocket, TestSocket];
  const create = { name: 'Both', settings: { waitingRoom: false } };
  const { roomCode } = must(await ann.api.post('/api/meetings/create', create), 'A meeting').body;
  await enter(hosts, roomCode as string);
  const entered = await enter(joins, roomCode as string);
  expect([entered['state'], entered['participants'].length]).toEqual(['joined', 1]);
  await hosts.next('meeting_participant_joined');
}

/** Three people on as many gateways as there are do what people do. */
async function walk(urls: readonly string[]): Promise<void> {
  const users = await Promise.all([0, 1, 2].map((index) => signUpByPhone(urls[index % urls.length] ?? '')));
  const sockets = await Promise.all(users.map((user) => user.connectSocket()));
  await chat(users, sockets);
  await group(users, sockets);
  await meet(users, sockets);
  await Promise.all(users.map((user) => user.disconnect()));
}

whereThereIsOne('the previous release does all it can on the schema of this one', async () => {
  const old = [{ root: previous.root! }];
  const replicas = Object.fromEntries(['gateway', ...services].map((service) => [service, old]));
  stack = await startTestStack({ replicas });
  await walk(stack.urls);
});

whereThereIsOne('both releases serve side by side, each calling the other', async () => {
  const places = await Promise.all(
    services.map(
      async (service) => [service, `127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`] as const,
    ),
  );
  // The processes of this release call those of the previous one, and the other way round.
  const calls = (release: 1 | 2) =>
    Object.fromEntries(places.map((place) => [`${place[0].toUpperCase()}_ADDR`, place[release]]));
  const processes = (own: readonly [string, string] | undefined): Replica[] => [
    { env: { ...calls(2), ...(own && { RPC_LISTEN: own[0] }) } },
    { root: previous.root!, env: { ...calls(1), ...(own && { RPC_LISTEN: own[1] }) } },
  ];
  const replicas = Object.fromEntries(places.map(([service, here, there]) => [service, processes([here, there])]));
  stack = await startTestStack({ replicas: { ...replicas, gateway: processes(undefined) } });
  await walk(stack.urls);
  await walk(stack.urls.toReversed());
});
