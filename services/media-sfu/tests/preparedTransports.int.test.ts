import { randomUUID } from 'node:crypto';
import { eventually } from '@nolo/testing';
import {
  capabilitiesJson,
  dtlsJson,
  mediaErrorKindAndCode,
  startMedia,
  type TestMedia,
  type TestNode,
} from './startMedia.ts';
import { openCamera, openMicrophone } from './rtp.ts';

let media: TestMedia;
let node: TestNode;
beforeAll(async () => {
  media = await startMedia();
  node = await media.startNode({}, { emptyRoomMs: 200 });
});
afterAll(() => media.stop());

interface TestParticipant {
  roomId: string;
  participantId: string;
  userId: string;
}

const createParticipant = (more: Partial<TestParticipant> = {}): TestParticipant => ({
  roomId: randomUUID(),
  participantId: randomUUID(),
  userId: randomUUID(),
  ...more,
});
const idOf = (json: string) => (JSON.parse(json) as { id: string }).id;

async function reserve(one: TestParticipant, on = node) {
  const reply = await on.client.reserve({ ...one, dtlsParametersJson: dtlsJson });
  return { ...reply, ids: [idOf(reply.sendTransportJson), idOf(reply.receiveTransportJson)] };
}

async function comeIn({ roomId, ...who }: TestParticipant, more: object = {}, on = node) {
  const joined = await on.join(roomId, { ...who, dtlsParametersJson: dtlsJson, takesPrepared: true, ...more });
  return [joined.sendTransport.id, joined.receiveTransport.id];
}

const inRoom = ({ roomId }: TestParticipant) => node.room(roomId);

test('a joining participant takes over the prepared transports, once', async () => {
  const ada = createParticipant();
  const preparedTransports = await reserve(ada);
  expect(preparedTransports.goodForMs).toBe(60_000);
  expect(await comeIn(ada)).toEqual(preparedTransports.ids);
  const peer = inRoom(ada).peers.get(ada.participantId);
  expect([peer?.send.transport.closed, inRoom(ada).preparedTransports.size]).toEqual([false, 0]);
  // Transports connect with parameters from the reservation.
  const retryRequest = {
    roomId: ada.roomId,
    participantId: ada.participantId,
    transportId: preparedTransports.ids[1] ?? '',
  };
  expect(await node.client.connectTransport({ ...retryRequest, dtlsParametersJson: dtlsJson })).toEqual({});
  const second = await comeIn(ada);
  expect(second).not.toEqual(preparedTransports.ids);
  expect(peer?.send.transport.closed).toBe(true);
  expect(inRoom(ada).peers.size).toBe(1);
});

test('prepared transports are invisible, and count toward no capacity', async () => {
  const ada = createParticipant();
  const ben = createParticipant({ roomId: ada.roomId });
  await reserve(ada);
  expect([inRoom(ada).peers.size, inRoom(ada).preparedTransports.size]).toEqual([0, 1]);
  const before = await node.client.getNode({});
  await comeIn(ben, { maxParticipants: 1 });
  expect((await node.client.getNode({})).peers).toBe(before.peers + 1);
  expect(await mediaErrorKindAndCode(comeIn(ada, { maxParticipants: 1 }))).toBe('conflict room_full');
  expect(media.deliveriesTo(ben.participantId)).toEqual([]);
  expect(media.events.filter(({ participantId }) => participantId === ada.participantId)).toEqual([]);
});

test('a first page is prepared, carries nothing before the join, and starts at once for a ready client', async () => {
  const { roomId, participantId: ada } = await node.join(randomUUID());
  const room = node.room(roomId);
  const [camera, microphone] = [await openCamera(room, ada), await openMicrophone(room, ada)];
  const ben = createParticipant({ roomId });
  const kept = await node.client.reserve({
    ...ben,
    dtlsParametersJson: dtlsJson,
    rtpCapabilitiesJson: capabilitiesJson,
  });
  const ahead = JSON.parse(kept.consumersJson) as { id: string; producerId: string; source: string }[];
  expect(ahead.map(({ source }) => source).toSorted()).toEqual(['camera', 'microphone']);
  const idFor = (producerId: string) => ahead.find((one) => one.producerId === producerId)?.id ?? '';
  const [preparedTransports] = room.preparedTransports.of(ben.userId as never);
  const track = room.tracks.get(camera.producer.id);
  const consumer = track && preparedTransports?.consumerOf(track);
  // Senders cannot detect that someone is about to join.
  expect([consumer?.paused, track?.shard.demand(track)]).toEqual([true, { flows: false, layers: 0 }]);
  microphone.stop();
  await eventually(() => preparedTransports?.consumers.length === 1);
  expect(preparedTransports?.consumers[0]?.id).toBe(idFor(camera.producer.id));
  const second = await openMicrophone(room, ada);

  const { participantId, userId } = ben;
  const more = { participantId, userId, dtlsParametersJson: dtlsJson, takesPrepared: true };
  const joined = await node.join(roomId, { ...more, readyConsumerIds: [idFor(camera.producer.id), 'of nobody'] });
  const own = new Map(joined.consumers.map(({ id, source }) => [source, id]));
  expect([own.size, own.get('camera')]).toEqual([2, idFor(camera.producer.id)]);
  await eventually(() => consumer?.paused === false);
  // The client does not know this consumer yet.
  const unknown = [...(room.peers.get(participantId)?.consumers.values() ?? [])].find((one) => one.track.isVoice);
  expect([unknown?.consumer.id, unknown?.consumer.paused]).toEqual([own.get('microphone'), true]);
  camera.stop();
  second.stop();
});

test('a client without capabilities gets nothing prepared, and invalid ones are rejected', async () => {
  const { roomId, participantId: ada } = await node.join(randomUUID());
  const camera = await openCamera(node.room(roomId), ada);
  expect((await reserve(createParticipant({ roomId }))).consumersJson).toBe('[]');
  const reserveRequest = {
    ...createParticipant({ roomId }),
    dtlsParametersJson: dtlsJson,
    rtpCapabilitiesJson: '{"codecs":[{}]}',
  };
  expect(await mediaErrorKindAndCode(node.client.reserve(reserveRequest))).toBe('invalid media_invalid');
  expect(node.room(roomId).preparedTransports.size).toBe(1);
  camera.stop();
});

test('prepared transports belong to one person in one browser', async () => {
  const other = dtlsJson.replace('AB:AB', 'CD:CD');
  for (const change of [{ userId: randomUUID() }, { dtlsParametersJson: other }, { takesPrepared: false }]) {
    const ada = createParticipant();
    const preparedTransports = await reserve(ada);
    const [kept] = inRoom(ada).preparedTransports.of(ada.userId as never);
    expect(await comeIn(ada, change)).not.toEqual(preparedTransports.ids);
    expect([kept?.send.transport.closed, kept?.receive.transport.closed]).toEqual([true, true]);
  }
});

test('above the device limit of a person the oldest are released, across rooms', async () => {
  const userId = randomUUID();
  const all = Array.from({ length: 4 }, () => createParticipant({ userId }));
  const preparedTransports = [];
  for (const one of all) preparedTransports.push(await reserve(one));
  expect(all.map((one) => inRoom(one).preparedTransports.size)).toEqual([0, 1, 1, 1]);
  // Reserving again for the same participant is not counted twice.
  await reserve(all[1] ?? createParticipant());
  expect(all.map((one) => node.app.rooms?.find(one.roomId)?.preparedTransports.size ?? 0)).toEqual([0, 1, 1, 1]);
});

test('unclaimed transports are released in time, along with their room', async () => {
  const hasty = await media.startNode({}, { emptyRoomMs: 100, preparedTransportsMs: 200 });
  const ada = createParticipant();
  const preparedTransports = await reserve(ada, hasty);
  await eventually(() => hasty.app.rooms?.size === 0);
  expect(hasty.app.rooms?.outcomes).toEqual({ taken: 0, unused: 1 });
  expect(await comeIn(ada, {}, hasty)).not.toEqual(preparedTransports.ids);
});

test('prepared transports end with the room or worker, and a draining node prepares none', async () => {
  const ada = createParticipant();
  await reserve(ada);
  const [kept] = inRoom(ada).preparedTransports.of(ada.userId as never);
  await node.client.closeRoom({ roomId: ada.roomId });
  expect(kept?.send.transport.closed).toBe(true);

  const leaving = await media.startNode();
  const ben = createParticipant();
  await reserve(ben, leaving);
  leaving.app.rooms?.drain(() => false);
  expect(await mediaErrorKindAndCode(reserve(createParticipant(), leaving))).toBe('unavailable node_draining');
  expect(await mediaErrorKindAndCode(reserve(ben, leaving))).toBe('unavailable node_draining');
  // Prepared transports do not delay it.
  expect(leaving.app.rooms?.isMissed).toBe(false);
});

test('an invalid handshake is rejected, and prepares nothing', async () => {
  const ada = createParticipant();
  const mistaken = { ...ada, dtlsParametersJson: '{"fingerprints":[]}' };
  expect(await mediaErrorKindAndCode(node.client.reserve(mistaken))).toBe('invalid media_invalid');
  // Invalid parameters on joining leave nothing behind.
  const preparedTransports = await reserve(ada);
  expect(await mediaErrorKindAndCode(comeIn(ada, { rtpCapabilitiesJson: '{"codecs":[{}]}' }))).toBe(
    'invalid media_invalid',
  );
  expect(await comeIn(ada)).toEqual(preparedTransports.ids);
});
