import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { converse, eventually, signUpByPhone, type TestSocket, type TestUser } from '@nolo/testing';
import { findFreePort } from '../../scripts/ports.ts';
import type { ReplicaOptions } from '../../scripts/stack.ts';
import { enterMeetingBySocket } from '../support/authorization/meetingCast.ts';
import { requireSuccess } from '../support/clients/requireSuccess.ts';
import { linkDevice, startFirstDevice, type SealedDevice } from '../support/clients/sealedDevices.ts';
import { startTestStack, type TestStack } from '../support/stacks/testStack.ts';
import { providePreviousRelease } from '../support/stacks/previousRelease.ts';

const previous = providePreviousRelease();
const services = ['identity', 'chat', 'files', 'meetings'] as const;

let stack: TestStack | undefined;
const devices: SealedDevice[] = [];

afterEach(async () => {
  for (const device of devices.splice(0)) device.remove();
  await stack?.stop();
  stack = undefined;
});

// Skipped: without history (archive, shallow clone) there is no previous release.
const whereThereIsOne = previous.root === undefined ? it.skip : it;
if (previous.root === undefined) process.stderr.write(`${previous.why}\n`);
// Releases before 0.4.0 have no sealed conversations, so their gateways interrupt them.
const doBothSeal =
  previous.root !== undefined && existsSync(join(previous.root, 'packages/client/src/keys/conversations'));
// Skipped: a previous release without sealed conversations has no routes of epochs.
const whereBothSeal = doBothSeal ? it : it.skip;

const linkPreview = '{"url":"https://example.org/"}';

async function chat(users: readonly TestUser[], sockets: readonly TestSocket[]): Promise<void> {
  const [ann, ben] = users as [TestUser, TestUser, TestUser];
  const [, bensSocket] = sockets as [TestSocket, TestSocket];
  const conversationId = requireSuccess(
    await ann.api.post('/api/conversations', { otherUserId: ben.id }),
    'A conversation',
  ).body.id as string;
  for (const author of [0, 1]) {
    // Fields that only clients read are null for plain text, otherwise from the envelope.
    for (const [kind, fields] of Object.entries({ plain: {}, linked: { linkPreview } })) {
      const content = `${kind} from ${author}`;
      const sent = requireSuccess(
        await users[author]!.api.post('/api/messages', { conversationId, content, ...fields }),
        'A message',
      );
      const expected = { content, fileName: null, voiceMessageDuration: null, linkPreview: null, ...fields };
      expect(sent.body).toMatchObject(expected);
      // If both releases run, the author's gateway and the chat that sends the frame are of different ones.
      for (const socket of sockets.slice(0, 2)) {
        const { data } = await socket.next('new_message', (frame) => frame['content'] === content);
        expect(data).toMatchObject(expected);
      }
    }
  }
  const messages = requireSuccess(await ben.api.get(`/api/conversations/${conversationId}/messages`), 'Messages')
    .body as {
    id: string;
    seq: number;
    senderId: string;
  }[];
  const { id } = messages.findLast(({ senderId }) => senderId === ann.id)!;
  requireSuccess(await ann.api.request('PATCH', `/api/messages/${id}`, { body: { content: 'edited' } }), 'An edit');
  const edited = await bensSocket.next('message_updated', (data) => data['content'] === 'edited');
  expect(edited.data['linkPreview']).toBe(linkPreview);
  requireSuccess(await ben.api.put(`/api/messages/${id}/reaction`, { emoji: '👍' }), 'A reaction');
  const cursors = [{ conversationId, readSeq: 2, deliveredSeq: 2 }];
  requireSuccess(await ann.api.put('/api/conversations/cursors', { cursors }), 'Receipts');
  await bensSocket.next('receipt', (data) => data['userId'] === ann.id && data['readSeq'] === 2);
  const { changes } = requireSuccess(
    await ben.api.get(`/api/conversations/${conversationId}/changes?since=0`),
    'Changes',
  ).body;
  expect(changes.length).toBeGreaterThan(1);
}

async function group(users: readonly TestUser[], sockets: readonly TestSocket[]): Promise<void> {
  const [ann, ben, cas] = users as [TestUser, TestUser, TestUser];
  requireSuccess(await cas.api.post('/api/contacts', { userId: ann.id }), 'The contact');
  const made = await ann.api.post('/api/groups', { name: 'Both', memberIds: [ben.id, cas.id] });
  const id = requireSuccess(made, 'A group').body.id as string;
  requireSuccess(await cas.api.post('/api/messages', { conversationId: id, content: 'to all' }), 'A message');
  for (const socket of sockets) await socket.next('new_message', (data) => data['content'] === 'to all');
  requireSuccess(await ann.api.delete(`/api/group-chats/${id}/members/${cas.id}`), 'A removal');
  await sockets[2]!.next('conversation_removed', (data) => data['conversationId'] === id);
  expect((await cas.api.get(`/api/conversations/${id}/messages`)).status).toBe(404);
}

async function meet(users: readonly TestUser[], sockets: readonly TestSocket[]): Promise<void> {
  const [ann] = users as [TestUser];
  const [hosts, joins] = sockets as [TestSocket, TestSocket];
  const create = { name: 'Both', settings: { waitingRoom: false } };
  const { roomCode } = requireSuccess(await ann.api.post('/api/meetings/create', create), 'A meeting').body;
  await enterMeetingBySocket(hosts, roomCode as string);
  const entered = await enterMeetingBySocket(joins, roomCode as string);
  expect([entered['state'], entered['participants'].length]).toEqual(['joined', 1]);
  await hosts.next('meeting_participant_joined');
}

/** Runs three people, on all the gateways, through everyday actions. */
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

/**
 * Starts two processes of each service, of this release and of the previous one. Each calls the services of the other
 * release, and so do the two gateways.
 */
async function startBothReleases(): Promise<TestStack> {
  const places = await Promise.all(
    services.map(
      async (service) => [service, `127.0.0.1:${await findFreePort()}`, `127.0.0.1:${await findFreePort()}`] as const,
    ),
  );
  const calls = (release: 1 | 2) =>
    Object.fromEntries(places.map((place) => [`${place[0].toUpperCase()}_ADDR`, place[release]]));
  const processes = (own: readonly [string, string] | undefined): ReplicaOptions[] => [
    { env: { ...calls(2), ...(own && { RPC_LISTEN: own[0] }) } },
    // The previous release begins no sealed conversation.
    { root: previous.root!, env: { ...calls(1), SEALED_CONVERSATIONS: 'false', ...(own && { RPC_LISTEN: own[1] }) } },
  ];
  const replicas = Object.fromEntries(places.map(([service, here, there]) => [service, processes([here, there])]));
  return await startTestStack({ replicas: { ...replicas, gateway: processes(undefined) } });
}

whereThereIsOne('both releases serve side by side, each calling the other', async () => {
  stack = await startBothReleases();
  await walk(stack.urls);
  await walk(stack.urls.toReversed());
});

whereBothSeal('a sealed conversation that this release began continues at the previous one', async () => {
  stack = await startBothReleases();
  const start = async (url: string | undefined) => {
    const device = await startFirstDevice(await signUpByPhone(url ?? ''));
    devices.push(device);
    return device;
  };
  // Ann's requests reach chat of this release, by a gateway of the previous one, and Ben's the other way round.
  const [ben, ann] = (await Promise.all(stack.urls.map(start))) as [SealedDevice, SealedDevice];
  const phone = await linkDevice(ann);
  devices.push(phone);
  const { id } = (await converse(ann.user, ben.user)) as { id: string };
  for (const device of [ann, phone, ben]) await device.chats.open(id);

  await ann.send(id, 'one');
  await ben.reads(id, ['one']);
  await ben.send(id, 'two', ben.find(id, 'one'));
  await phone.reads(id, ['one', 'two']);
  await phone.chats.edit(phone.find(id, 'one').id, 'better');
  await ben.reads(id, ['better', 'two']);
  await ben.actions.react(ben.find(id, 'better').id, '👍');
  await eventually(() => phone.find(id, 'better').reactions.length === 1);
  await ben.chats.remove(ben.find(id, 'two').id);
  for (const device of [ann, phone, ben]) await device.reads(id, ['better', '(deleted)']);

  // Chat of the previous release takes the epoch that follows the removal.
  await stack.prove(ann.user.id, 'now');
  await ann.keys.removeDevices([phone.id]);
  await ben.send(id, 'three');
  await ann.reads(id, ['better', '(deleted)', 'three']);
  await ann.send(id, 'four');
  await ben.reads(id, ['better', '(deleted)', 'three', 'four']);
  // Chat of the previous release stores the edit, which both releases then serve.
  await ben.chats.edit(ben.find(id, 'three').id, 'third');
  for (const device of [ann, ben]) {
    device.stop();
    await device.start();
    await device.chats.open(id);
    await device.reads(id, ['better', '(deleted)', 'third', 'four']);
  }
  expect(ann.chats.store.getState().standings[id]?.epoch).toBe(1);
});
