import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { eventually } from '@nolo/testing';
import type { Room } from '../src/media/Room.ts';
import {
  createCameraParametersJson,
  mediaErrorKindAndCode,
  sendCamera,
  sendVoice,
  startMedia,
  type JoinedParticipant,
  type TestMedia,
  type TestNode,
} from './startMedia.ts';

let media: TestMedia;
let node: TestNode;
beforeAll(async () => {
  media = await startMedia();
  node = await media.startNode({ MEDIA_WORKERS: '2', MEDIA_CONSUMERS_PER_WORKER: '1' });
});
afterAll(() => media.stop());

/** Returns all mediasoup objects of a room. */
function mediasoupObjectsOf(room: Room) {
  const peers = [...room.peers.values()];
  return {
    routers: room.shards.map(({ router }) => router),
    transports: peers.flatMap(({ send, receive }) => [send.transport, receive.transport]),
    producers: peers.flatMap(({ producers }) => [...producers.values()]),
    consumers: peers.flatMap(({ consumers }) => [...consumers.values()].map(({ consumer }) => consumer)),
  };
}

const openOf = (mediasoupObjects: ReturnType<typeof mediasoupObjectsOf>) =>
  Object.fromEntries(
    Object.entries(mediasoupObjects).map(([kind, all]) => [kind, all.filter(({ closed }) => !closed).length]),
  );

const nothing = { routers: 0, transports: 0, producers: 0, consumers: 0 };

async function threePeople(): Promise<{ room: Room; people: JoinedParticipant[] }> {
  const roomId = randomUUID();
  const people: JoinedParticipant[] = [];
  for (let count = 0; count < 3; count += 1) people.push(await node.join(roomId));
  for (const person of people) await Promise.all([sendVoice(node.client, person), sendCamera(node.client, person)]);
  const room = node.room(roomId);
  await eventually(() => [...room.peers.values()].every(({ consumers }) => consumers.size === 4));
  return { room, people };
}

const closedFrames = (person: JoinedParticipant) => media.framesTo(person.participantId, 'media_consumer_closed');

test("a worker's environment contains nothing of the service's", async () => {
  const pid = node.app.pool?.workers[0]?.worker.pid;
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  expect(environment).toContainEqual(expect.stringMatching(/^MEDIASOUP_VERSION=/));
  expect(environment.filter((line) => !/^(PATH|LD_LIBRARY_PATH|LANG|TZ|TMPDIR|MEDIASOUP_\w+)=/.test(line))).toEqual([]);
});

test('closing a room closes everything in it', async () => {
  const { room } = await threePeople();
  const mediasoupObjects = mediasoupObjectsOf(room);
  expect(openOf(mediasoupObjects)).toEqual({ routers: 2, transports: 6, producers: 6, consumers: 12 });
  await node.client.closeRoom({ roomId: room.id });
  await node.client.closeRoom({ roomId: room.id });
  expect(openOf(mediasoupObjects)).toEqual(nothing);
  expect(node.app.rooms?.find(room.id)).toBeUndefined();
  expect(node.app.pool?.workers.every((worker) => [...worker.peers].every((peer) => peer.cost > 0))).toBe(true);
});

test('a closed room leaves nothing in the workers, including the pipes between them', async () => {
  const { room } = await threePeople();
  const { transports } = mediasoupObjectsOf(room);
  const used = new Set(room.shards.map(({ worker }) => worker));
  expect(used.size).toBe(2);
  /** Returns what the workers themselves report of it. */
  const inWorkers = async () => {
    const ids = new Set([...room.shards.map(({ router }) => router.id), ...transports.map(({ id }) => id)]);
    const dumps = await Promise.all(
      [...used].map(async ({ worker, server }) => [await worker.dump(), await server.dump()] as const),
    );
    const all = dumps.flatMap(([{ routerIds }, { webRtcTransportIds }]) => [...routerIds, ...webRtcTransportIds]);
    return all.filter((id) => ids.has(id));
  };
  expect(await inWorkers()).toHaveLength(2 + transports.length);
  const pipes = await Promise.all(room.shards.map(async ({ router }) => (await router.dump()).transportIds.length));
  // Each worker has the transports of its people and two pipe ends, one per direction.
  expect(pipes.reduce((sum, count) => sum + count, 0)).toBe(transports.length + 2 * 2);
  await node.client.closeRoom({ roomId: room.id });
  await eventually(async () => (await inWorkers()).length === 0);
});

test("a participant's transports and tracks close when they leave, and the others are notified", async () => {
  const { room, people } = await threePeople();
  const [ada, ben, eve] = people as [JoinedParticipant, JoinedParticipant, JoinedParticipant];
  const peer = room.peers.get(ada.participantId)!;
  const [transports, producers] = [[peer.send.transport, peer.receive.transport], [...peer.producers.values()]];
  await node.client.leave(ada.who);
  expect([...transports, ...producers].every(({ closed }) => closed)).toBe(true);
  await eventually(() => [ben, eve].every((person) => closedFrames(person).length === 2));
  await eventually(() => [...room.peers.values()].every(({ consumers }) => consumers.size === 2));
  expect(room.tracks.size).toBe(4);
  expect(closedFrames(ada)).toEqual([]);
});

test('a track started while its participant leaves does not remain', async () => {
  const roomId = randomUUID();
  const [ada] = [await node.join(roomId), await node.join(roomId)];
  const room = node.room(roomId);
  const peer = room.peers.get(ada.participantId)!;
  const sending = peer.produce('camera', 'video', JSON.parse(createCameraParametersJson()), false);
  // The worker has received the request but not answered it.
  await new Promise((resolve) => setImmediate(resolve));
  room.leave(ada.participantId);
  expect(await mediaErrorKindAndCode(sending)).toBe('not_found media_not_found');
  expect(room.tracks.size).toBe(0);
});

test('closing a transport ends what it carried', async () => {
  const { room, people } = await threePeople();
  const [ada, ben] = people as [JoinedParticipant, JoinedParticipant];
  const { send, producers } = room.peers.get(ada.participantId)!;
  send.close();
  expect(producers.size).toBe(0);
  await eventually(() => closedFrames(ben).length === 2);
});

test('a dead worker takes its part of every room with it, is replaced, and its people rejoin', async () => {
  const { room, people } = await threePeople();
  const pool = node.app.pool!;
  const lost = room.shards[0]!;
  const gone = [...room.peers.values()].filter(({ shard }) => shard === lost);
  const stay = [...room.peers.values()].filter(({ shard }) => shard !== lost);
  expect(gone.length).toBeGreaterThan(0);
  expect(stay.length).toBeGreaterThan(0);
  const before = { restarts: pool.restarts, workers: pool.workers };
  const lostTracks = [...room.tracks.values()].filter(({ shard }) => shard === lost);
  const lostTransports = gone.flatMap(({ send, receive }) => [send.transport, receive.transport]);

  process.kill(lost.worker.worker.pid, 'SIGKILL');
  const moved = (participantId: string) => media.framesTo(participantId, 'media_moved').length;
  await eventually(() => gone.every(({ id }) => moved(id) === 1));
  expect(lost.closed).toBe(true);
  expect([...lostTracks, ...lostTransports].every(({ closed }) => closed)).toBe(true);
  expect(stay.every(({ id, send }) => moved(id) === 0 && !send.transport.closed)).toBe(true);
  expect([...room.peers.keys()].toSorted()).toEqual(stay.map(({ id }) => id).toSorted());
  // People who stay lose the tracks from there and nothing else.
  await eventually(() => stay.every(({ consumers }) => [...consumers.values()].every(({ track }) => !track.closed)));

  await eventually(() => pool.restarts === before.restarts + 1 && pool.workers.length === before.workers.length);
  for (const { id } of gone) {
    const person = people.find(({ participantId }) => participantId === id)!;
    const back = await node.join(room.id, { participantId: id, userId: person.userId });
    await sendVoice(node.client, back);
  }
  expect(room.peers.size).toBe(3);
  await eventually(() =>
    stay.every(({ consumers }) =>
      [...consumers.values()].some(({ track }) => gone.some(({ id }) => id === track.participantId)),
    ),
  );
  const fresh = pool.workers.find((worker) => !before.workers.includes(worker));
  expect(fresh?.index).toBe(lost.worker.index);
});
