import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { eventually } from '@nolo/testing';
import { findFreePort } from '../../../scripts/ports.ts';
import {
  joinRoom,
  mediaErrorKindAndCode,
  sendCamera,
  sendVoice,
  startMedia,
  type JoinedParticipant,
  type TestMedia,
  type TestNode,
} from './startMedia.ts';
import { countReceivedPackets, openMicrophone } from './rtp.ts';

let media: TestMedia;
let one: TestNode;
let two: TestNode;
const children: ChildProcess[] = [];
beforeAll(async () => {
  media = await startMedia();
  [one, two] = await Promise.all([
    media.startNode({}, { emptyRoomMs: 200 }),
    media.startNode({}, { emptyRoomMs: 200 }),
  ]);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await media.stop();
});

/** Joins Ada on one node and Ben on the other, as meetings would spread them. */
async function apart(): Promise<{ roomId: string; ada: JoinedParticipant; ben: JoinedParticipant }> {
  const roomId = randomUUID();
  const ada = await one.join(roomId, { otherNodes: [two.address] });
  const ben = await two.join(roomId, { otherNodes: [one.address] });
  return { roomId, ada, ben };
}

const addedTo = (reader: JoinedParticipant, producerId: string) =>
  eventually(
    () =>
      media
        .framesTo(reader.participantId, 'media_consumer_added')
        .find(({ consumer }) => consumer.producerId === producerId)?.consumer ?? false,
  );
const closedOf = (reader: JoinedParticipant) => media.framesTo(reader.participantId, 'media_consumer_closed');

test('tracks on one node reach the participants on the other, both ways', async () => {
  const { ada, ben } = await apart();
  const fromAda = await sendCamera(one.client, ada);
  const fromBen = await sendVoice(two.client, ben);
  expect(await addedTo(ben, fromAda)).toMatchObject({
    participantId: ada.participantId,
    source: 'camera',
    kind: 'video',
  });
  expect(await addedTo(ada, fromBen)).toMatchObject({ participantId: ben.participantId, source: 'microphone' });
});

test("tracks older than the second node's join are piped as well, and listed to the next joiner there", async () => {
  const roomId = randomUUID();
  const ada = await one.join(roomId);
  const [voice, camera] = [await sendVoice(one.client, ada, true), await sendCamera(one.client, ada)];
  const ben = await two.join(roomId, { otherNodes: [one.address] });
  expect(await addedTo(ben, voice)).toMatchObject({ producerPaused: true });
  await addedTo(ben, camera);
  const eve = await two.join(roomId, { otherNodes: [one.address] });
  expect(eve.consumers.map(({ producerId }) => producerId).toSorted()).toEqual([voice, camera].toSorted());
});

test('packets flow from a microphone on one node to a listener on the other', async () => {
  const { roomId, ada, ben } = await apart();
  const microphone = await openMicrophone(one.room(roomId), ada.participantId);
  await addedTo(ben, microphone.producer.id);
  const there = two.room(roomId);
  const ear = await countReceivedPackets(there.shards[0]!.router, microphone.producer.id);
  await eventually(() => ear.packets() >= 100);
  // Packets arrive at most once.
  expect(ear.packets()).toBeLessThanOrEqual(microphone.sent());
  // Nodes on both ends measure its loudness.
  microphone.setVolume(-20);
  await eventually(() =>
    [ada, ben].every(({ participantId }) =>
      media
        .framesTo(participantId, 'media_speakers')
        .some(({ speakers }) => speakers[0]?.participantId === ada.participantId),
    ),
  );
  await microphone.producer.pause();
  await eventually(() => there.tracks.get(microphone.producer.id)?.producer.paused);
  microphone.stop();
  await eventually(() => !there.tracks.has(microphone.producer.id));
  ear.stop();
});

test('pausing, resuming and ending cross the pipe in order', async () => {
  const { ada, ben } = await apart();
  const producerId = await sendVoice(one.client, ada);
  const { id } = await addedTo(ben, producerId);
  const listPausedStates = () => media.framesTo(ben.participantId, 'media_consumer_paused').map(({ paused }) => paused);
  await one.client.setPaused({ ...ada.who, source: 'microphone', paused: true });
  await eventually(() => listPausedStates().join() === 'true');
  await one.client.setPaused({ ...ada.who, source: 'microphone', paused: false });
  await eventually(() => listPausedStates().join() === 'true,false');
  await one.client.leave(ada.who);
  await eventually(() => closedOf(ben).some(({ consumerId }) => consumerId === id));
});

test('two nodes that connect to each other at once end up with one pipe each way', async () => {
  for (let round = 0; round < 5; round += 1) {
    const roomId = randomUUID();
    const [ada, ben] = await Promise.all([
      one.join(roomId, { otherNodes: [two.address] }),
      two.join(roomId, { otherNodes: [one.address] }),
    ]);
    const [fromAda, fromBen] = await Promise.all([sendVoice(one.client, ada), sendVoice(two.client, ben)]);
    await Promise.all([addedTo(ben, fromAda), addedTo(ada, fromBen)]);
    expect([one, two].map((node) => node.room(roomId).links.addresses)).toEqual([[two.address], [one.address]]);
  }
});

test('a node that everyone left is no longer piped to, and is again once someone returns', async () => {
  const { roomId, ada, ben } = await apart();
  const producerId = await sendVoice(one.client, ada);
  await addedTo(ben, producerId);
  await two.client.leave(ben.who);
  await eventually(() => !two.app.rooms?.find(roomId));
  await eventually(() => one.room(roomId).links.addresses.length === 0);
  const back = await two.join(roomId, { otherNodes: [one.address] });
  await addedTo(back, producerId);
});

test('pipes of a dead worker are replaced', async () => {
  const { roomId, ada, ben } = await apart();
  await addedTo(ben, await sendVoice(one.client, ada));
  process.kill(one.room(roomId).shards[0]!.worker.worker.pid, 'SIGKILL');
  await eventually(() => media.framesTo(ada.participantId, 'media_moved').length === 1);
  await eventually(() => closedOf(ben).length === 1);
  await eventually(() => (one.app.pool?.workers.length ?? 0) > 0);
  const back = await one.join(roomId, { participantId: ada.participantId, otherNodes: [two.address] });
  await addedTo(ben, await sendVoice(one.client, back));
});

test('pipes and tracks for an unknown room are rejected', async () => {
  const srtpParametersJson = JSON.stringify({ cryptoSuite: 'AES_CM_128_HMAC_SHA1_80', keyBase64: 'AAAA' });
  const pipe = { nodeId: 'n', rpcAddress: '127.0.0.1:1', ip: '127.0.0.1', port: 1, srtpParametersJson };
  expect(await mediaErrorKindAndCode(one.client.openPipe({ ...pipe, roomId: randomUUID() }))).toBe(
    'not_found media_not_found',
  );
  const { roomId, ada } = await apart();
  expect(await mediaErrorKindAndCode(one.client.openPipe({ ...pipe, roomId, srtpParametersJson: '{}' }))).toBe(
    'invalid media_invalid',
  );
  expect(await mediaErrorKindAndCode(one.client.openPipe({ ...pipe, roomId, port: 0 }))).toBe('invalid media_invalid');
  const track = {
    roomId,
    nodeId: 'n',
    rpcAddress: '127.0.0.1:1',
    producerId: randomUUID(),
    participantId: ada.participantId,
    kind: 'audio',
    source: 'microphone',
    rtpParametersJson: '',
    paused: false,
    closed: false,
  };
  expect(await mediaErrorKindAndCode(one.client.setPipedProducer(track))).toBe('not_found media_not_found');
});

/** Starts a node in its own process, which can be killed. */
async function startProcess(
  around: TestMedia = media,
  drainSeconds = 20,
): Promise<{ child: ChildProcess; address: string }> {
  const address = `127.0.0.1:${await findFreePort()}`;
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts')], {
    env: {
      PATH: process.env['PATH'],
      ...around.variables,
      RPC_LISTEN: address,
      MEDIA_DRAIN_SECONDS: String(drainSeconds),
    },
    stdio: 'ignore',
  });
  children.push(child);
  const client = around.clientOf(address);
  await eventually(async () => (await client.getNode({}, { timeoutMs: 1000 })).nodeId !== '', { timeoutMs: 20_000 });
  return { child, address };
}

test('a dead node leaves nothing behind on the others', async () => {
  const { child, address } = await startProcess();
  const roomId = randomUUID();
  const ada = await one.join(roomId, { otherNodes: [address] });
  const client = media.clientOf(address);
  const ben = await joinRoom(client, roomId, { otherNodes: [one.address] });
  const { id } = await addedTo(ada, await sendVoice(client, ben));
  const producerId = await sendVoice(one.client, ada);
  await addedTo(ben, producerId);
  child.kill('SIGKILL');
  await eventually(() => closedOf(ada).some(({ consumerId }) => consumerId === id));
  expect([...one.room(roomId).tracks.keys()]).toEqual([producerId]);
  expect(one.room(roomId).links.addresses).toEqual([]);
});

test('a node asked to stop accepts no new rooms, announces it, and exits once it is empty', async () => {
  const { child, address } = await startProcess();
  const client = media.clientOf(address);
  const { nodeId } = await client.getNode({});
  const roomId = randomUUID();
  const ada = await joinRoom(client, roomId);
  child.kill('SIGTERM');
  await eventually(() => media.heartbeats.some((beat) => beat.nodeId === nodeId && beat.draining));
  // A draining node that has not received another node's heartbeat yet accepts joins anyway.
  await eventually(async () => {
    const joining = joinRoom(client, randomUUID()).then(({ who }) => client.leave(who));
    return (await mediaErrorKindAndCode(joining)) === 'unavailable node_draining';
  });
  // People who are here are served until they have moved.
  await sendVoice(client, ada);
  expect(child.exitCode).toBeNull();
  await client.leave(ada.who);
  await eventually(() => child.exitCode === 0);
});

test('the only node accepts new rooms while stopping, and does not wait for absent participants', async () => {
  const alone = await startMedia();
  try {
    const { child, address } = await startProcess(alone, 60);
    const client = alone.clientOf(address);
    // Joins but never connects.
    await joinRoom(client, randomUUID());
    child.kill('SIGTERM');
    await eventually(() => alone.heartbeats.some((beat) => beat.draining));
    await joinRoom(client, randomUUID());
    expect(child.exitCode).toBeNull();
    await eventually(() => child.exitCode === 0);
  } finally {
    await alone.stop();
  }
});
