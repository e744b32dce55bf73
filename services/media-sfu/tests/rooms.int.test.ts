import { randomUUID } from 'node:crypto';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import {
  createCameraParametersJson,
  dtlsJson,
  testGatewayId,
  otherGatewayId,
  mediaErrorKindAndCode,
  sendCamera,
  sendVoice,
  startMedia,
  createVoiceParametersJson,
  type JoinedParticipant,
  type TestMedia,
  type TestNode,
} from './startMedia.ts';

let media: TestMedia;
let node: TestNode;
beforeAll(async () => {
  media = await startMedia();
  node = await media.startNode({}, { emptyRoomMs: 300 });
});
afterAll(() => media.stop());

const tile = (participantId: string, height = 720, source = 'camera') => ({
  participantId,
  source,
  height,
  priority: 9,
});

/** Waits for the frame that brings a consumer and returns the consumer. */
const consumerOf = (reader: JoinedParticipant, producerId: string) =>
  eventually(
    () =>
      media
        .framesTo(reader.participantId, 'media_consumer_added')
        .map(({ consumer }) => consumer)
        .find((consumer) => consumer.producerId === producerId) ?? false,
  );

/** Returns mediasoup's own consumer, as it is in the worker. */
const inside = (reader: JoinedParticipant, producerId: string) => {
  const one = node.room(reader.roomId).peers.get(reader.participantId)?.consumers.get(producerId);
  if (!one) throw new Error('There is no such consumer.');
  return one.consumer;
};

async function pair(): Promise<{ roomId: string; ada: JoinedParticipant; ben: JoinedParticipant }> {
  const roomId = randomUUID();
  const [ada, ben] = [await node.join(roomId), await node.join(roomId)];
  // Sends a request from each, so frames are no longer held.
  await Promise.all([ada, ben].map(({ who }) => node.client.resumeConsumers({ ...who, consumerIds: [] })));
  return { roomId, ada, ben };
}

test('one join response contains everything a client needs', async () => {
  const { roomId, ada, ben } = await pair();
  const [voice, camera] = [await sendVoice(node.client, ada), await sendCamera(node.client, ada)];
  await sendVoice(node.client, ben, true);
  const eve = await node.join(roomId);
  expect(eve.nodeId).toBe((await node.client.getNode({})).nodeId);
  for (const transport of [eve.sendTransport, eve.receiveTransport]) {
    expect(transport.iceCandidates.map(({ protocol }) => protocol).toSorted()).toEqual(['tcp', 'udp']);
    expect(transport.iceParameters.iceLite).toBe(true);
    expect(transport.dtlsParameters.fingerprints.length).toBeGreaterThan(0);
  }
  expect(eve.consumers).toHaveLength(3);
  expect(eve.consumers.find(({ producerId }) => producerId === voice)).toMatchObject({
    participantId: ada.participantId,
    source: 'microphone',
    kind: 'audio',
    producerPaused: false,
  });
  expect(eve.consumers.find(({ producerId }) => producerId === camera)).toMatchObject({
    source: 'camera',
    kind: 'video',
  });
  expect(eve.consumers.filter(({ producerPaused }) => producerPaused)).toMatchObject([
    { participantId: ben.participantId },
  ]);
  // Consumers in the join response are not repeated as frames.
  await node.client.resumeConsumers({ ...eve.who, consumerIds: [] });
  expect(media.framesTo(eve.participantId, 'media_consumer_added')).toEqual([]);
});

test('a large room has consumers for a page of cameras, and for others when viewed', async () => {
  const roomId = randomUUID();
  const cameras: { producerId: string; participantId: string }[] = [];
  for (let index = 0; index < limits.visibleTiles + 2; index += 1) {
    const sender = await node.join(roomId);
    await node.client.setView({ ...sender.who, tiles: [] });
    cameras.push({ producerId: await sendCamera(node.client, sender), participantId: sender.participantId });
  }
  const [last, gone] = cameras.slice(limits.visibleTiles).map(({ participantId }) => participantId);
  if (last === undefined || gone === undefined) throw new Error('Not all are in the room.');
  const reader = await node.join(roomId);
  expect(reader.consumers.map(({ producerId }) => producerId).toSorted()).toEqual(
    cameras
      .slice(0, limits.visibleTiles)
      .map(({ producerId }) => producerId)
      .toSorted(),
  );
  // A participant who declared an empty view before the others joined has no consumers, and an ended camera leaves
  // nothing.
  expect(node.room(roomId).peers.get(cameras[0]?.participantId ?? '')?.consumers.size).toBe(0);
  await node.client.leave({ roomId, participantId: gone });
  await node.client.setView({ ...reader.who, tiles: [tile(last), tile(gone)] });
  const added = await consumerOf(reader, cameras[limits.visibleTiles]?.producerId ?? '');
  await node.client.resumeConsumers({ ...reader.who, consumerIds: [added.id] });
  expect(inside(reader, added.producerId).paused).toBe(false);
  // The consumer exists once, however often someone returns to it.
  await node.client.setView({ ...reader.who, tiles: [] });
  await node.client.setView({ ...reader.who, tiles: [tile(last)] });
  expect(media.framesTo(reader.participantId, 'media_consumer_added')).toHaveLength(1);
});

test('a seemingly narrow link still gets the lowest camera layer', async () => {
  const roomId = randomUUID();
  const { participantId } = await node.join(roomId);
  const peer = node.room(roomId).peers.get(participantId);
  const stats = (await peer?.receive.transport.getStats()) ?? [];
  expect(stats.map(({ minOutgoingBitrate }) => minOutgoingBitrate)).toEqual([150_000]);
});

test('transports are connected with the parameters of the join request', async () => {
  const roomId = randomUUID();
  const ada = await node.join(roomId, { dtlsParametersJson: dtlsJson });
  for (const { id: transportId } of [ada.sendTransport, ada.receiveTransport]) {
    // Repeats the call like a client that did not receive the response.
    const retryRequest = { ...ada.who, transportId, dtlsParametersJson: dtlsJson };
    expect(await node.client.connectTransport(retryRequest)).toEqual({});
    const others = { ...retryRequest, dtlsParametersJson: dtlsJson.replace('AB:AB', 'CD:CD') };
    expect(await mediaErrorKindAndCode(node.client.connectTransport(others))).toBe('invalid media_invalid');
  }
  const mistaken = { participantId: randomUUID(), dtlsParametersJson: '{"role":"client","fingerprints":[]}' };
  expect(await mediaErrorKindAndCode(node.join(roomId, mistaken))).toBe('invalid media_invalid');
  expect([...node.room(roomId).peers.keys()]).toEqual([ada.participantId]);
});

test('rooms accept Opus, VP8, VP9, H264 and AV1', async () => {
  const { rtpCapabilitiesJson } = await node.client.getNode({});
  const { codecs } = JSON.parse(rtpCapabilitiesJson) as { codecs: { mimeType: string }[] };
  const mimeTypes = new Set(codecs.map(({ mimeType }) => mimeType));
  expect([...mimeTypes].toSorted()).toEqual(
    ['audio/opus', 'video/AV1', 'video/H264', 'video/VP8', 'video/VP9', 'video/rtx'].toSorted(),
  );
});

test('a new track is announced to everyone else, and so is its end', async () => {
  const { ada, ben } = await pair();
  const producerId = await sendCamera(node.client, ada);
  const consumer = await consumerOf(ben, producerId);
  expect(media.deliveriesTo(ben.participantId)[0]).toMatchObject({
    gateway: testGatewayId,
    recipients: [ben.userId],
    scope: ben.participantId,
    frame: { data: { roomCode: 'ABC234', participantId: ben.participantId } },
  });
  expect(inside(ben, producerId).paused).toBe(true);
  await node.client.closeProducer({ ...ada.who, producerId });
  await eventually(() =>
    media.framesTo(ben.participantId, 'media_consumer_closed').some(({ consumerId }) => consumerId === consumer.id),
  );
  expect(media.deliveriesTo(ada.participantId)).toEqual([]);
  // Ending an ended producer is not an error.
  await node.client.closeProducer({ ...ada.who, producerId });
});

test("frames wait for the client's first request, so that none overtakes the join response", async () => {
  const roomId = randomUUID();
  const ada = await node.join(roomId);
  const ben = await node.join(roomId);
  const producerId = await sendVoice(node.client, ada);
  const room = node.room(roomId);
  await eventually(() => room.peers.get(ben.participantId)?.consumers.has(producerId));
  await media.bus.flush();
  expect(media.deliveriesTo(ben.participantId)).toEqual([]);
  await node.client.setView({ ...ben.who, tiles: [] });
  await consumerOf(ben, producerId);
});

test('frames do not wait forever for a silent client', async () => {
  const roomId = randomUUID();
  const ada = await node.join(roomId);
  const ben = await node.join(roomId);
  await consumerOf(ben, await sendVoice(node.client, ada));
});

test('a second producer of a source replaces the first', async () => {
  const { ada, ben } = await pair();
  const first = await sendCamera(node.client, ada);
  const before = await consumerOf(ben, first);
  const second = await sendCamera(node.client, ada);
  await consumerOf(ben, second);
  await eventually(() =>
    media.framesTo(ben.participantId, 'media_consumer_closed').some(({ consumerId }) => consumerId === before.id),
  );
  const peer = node.room(ada.roomId).peers.get(ada.participantId);
  expect([...(peer?.producers.values() ?? [])].map(({ id }) => id)).toEqual([second]);
});

test('a new producer with invalid parameters leaves the previous one in place', async () => {
  const { ada } = await pair();
  const first = await sendVoice(node.client, ada);
  const rtpParametersJson = '{"codecs":[],"encodings":[]}';
  const wrong = { ...ada.who, kind: 'audio', source: 'microphone', rtpParametersJson, paused: false };
  expect(await mediaErrorKindAndCode(node.client.produce(wrong))).toBe('invalid media_invalid');
  expect(node.room(ada.roomId).tracks.has(first)).toBe(true);
});

test('pausing and resuming reaches everyone else', async () => {
  const { ada, ben } = await pair();
  const producerId = await sendVoice(node.client, ada);
  const { id } = await consumerOf(ben, producerId);
  const listReceived = () => media.framesTo(ben.participantId, 'media_consumer_paused');
  await node.client.setPaused({ ...ada.who, source: 'microphone', paused: true });
  await eventually(() => listReceived().length === 1);
  await node.client.setPaused({ ...ada.who, source: 'microphone', paused: true });
  await node.client.setPaused({ ...ada.who, source: 'microphone', paused: false });
  await eventually(() => listReceived().length === 2);
  expect(listReceived()).toMatchObject([
    { consumerId: id, paused: true },
    { consumerId: id, paused: false },
  ]);
  // Pausing a missing producer is not an error.
  await node.client.setPaused({ ...ada.who, source: 'screen', paused: true });
});

test('a video flows while it is visible and the client is ready, in the layer of its tile', async () => {
  const { ada, ben } = await pair();
  const producerId = await sendCamera(node.client, ada);
  const { id } = await consumerOf(ben, producerId);
  const consumer = inside(ben, producerId);
  await node.client.setView({ ...ben.who, tiles: [tile(ada.participantId, 180)] });
  expect(consumer.paused).toBe(true);
  await node.client.resumeConsumers({ ...ben.who, consumerIds: [id] });
  expect(consumer.paused).toBe(false);
  expect(consumer.preferredLayers).toEqual({ spatialLayer: 0, temporalLayer: 2 });
  expect(consumer.priority).toBe(9);
  await node.client.setView({ ...ben.who, tiles: [tile(ada.participantId, 1080)] });
  expect(consumer.preferredLayers).toEqual({ spatialLayer: 2, temporalLayer: 2 });
  await node.client.setView({ ...ben.who, tiles: [tile(ada.participantId, 90)] });
  expect(consumer.preferredLayers).toEqual({ spatialLayer: 0, temporalLayer: 1 });
  await node.client.setView({ ...ben.who, tiles: [] });
  expect(consumer.paused).toBe(true);
  await node.client.setView({ ...ben.who, tiles: [tile(ada.participantId, 300)] });
  expect([consumer.paused, consumer.preferredLayers?.spatialLayer]).toEqual([false, 1]);
  // The camera's tile differs from the screen's.
  await node.client.setView({ ...ben.who, tiles: [tile(ada.participantId, 300, 'screen')] });
  expect(consumer.paused).toBe(true);
});

test('voices need no tile', async () => {
  const { ada, ben } = await pair();
  const producerId = await sendVoice(node.client, ada);
  const { id } = await consumerOf(ben, producerId);
  await node.client.setView({ ...ben.who, tiles: [] });
  await node.client.resumeConsumers({ ...ben.who, consumerIds: [id] });
  expect(inside(ben, producerId).paused).toBe(false);
});

test('a client without a view gets at most a page of cameras, and screens', async () => {
  const roomId = randomUUID();
  const senders = await Promise.all(Array.from({ length: 14 }, () => node.join(roomId)));
  for (const sender of senders) await sendCamera(node.client, sender);
  await sendCamera(node.client, senders[0]!, 'screen');
  const eve = await node.join(roomId);
  await node.client.resumeConsumers({ ...eve.who, consumerIds: eve.consumers.map(({ id }) => id) });
  const flowing = eve.consumers.filter(({ producerId }) => !inside(eve, producerId).paused);
  expect(flowing.filter(({ source }) => source === 'camera')).toHaveLength(12);
  expect(flowing.filter(({ source }) => source === 'screen')).toHaveLength(1);
});

test('joining again with the same id replaces the previous connection', async () => {
  const { roomId, ada, ben } = await pair();
  const producerId = await sendVoice(node.client, ada);
  const { id } = await consumerOf(ben, producerId);
  const retryRequest = await node.join(roomId, { participantId: ada.participantId, userId: ada.userId });
  expect(retryRequest.sendTransport.id).not.toBe(ada.sendTransport.id);
  await eventually(() =>
    media.framesTo(ben.participantId, 'media_consumer_closed').some((one) => one.consumerId === id),
  );
  expect(node.room(roomId).peers.size).toBe(2);
  const { transportId, ...old } = { ...ada.who, transportId: ada.sendTransport.id, dtlsParametersJson: dtlsJson };
  expect(await mediaErrorKindAndCode(node.client.connectTransport({ ...old, transportId }))).toBe(
    'not_found media_not_found',
  );
});

test('a full room admits only those already in it', async () => {
  const roomId = randomUUID();
  const ada = await node.join(roomId, { maxParticipants: 2 });
  await node.join(roomId, { maxParticipants: 2 });
  expect(await mediaErrorKindAndCode(node.join(roomId, { maxParticipants: 2 }))).toBe('conflict room_full');
  await node.join(roomId, { maxParticipants: 2, participantId: ada.participantId });
  const many = await Promise.allSettled(
    Array.from({ length: 6 }, () => node.join(randomUUID(), { maxParticipants: 0 })),
  );
  expect(many.every(({ status }) => status === 'fulfilled')).toBe(true);
});

test("concurrent joins never exceed the room's capacity", async () => {
  const roomId = randomUUID();
  const tries = await Promise.all(
    Array.from({ length: 6 }, () => mediaErrorKindAndCode(node.join(roomId, { maxParticipants: 3 }))),
  );
  expect(tries.filter((refusal) => refusal === 'none')).toHaveLength(3);
  expect(node.room(roomId).peers.size).toBe(3);
});

test('a transport is connected once; repeating it is no error', async () => {
  const { ada, ben } = await pair();
  const request = { ...ada.who, transportId: ada.sendTransport.id, dtlsParametersJson: dtlsJson };
  await node.client.connectTransport(request);
  await node.client.connectTransport(request);
  const other = dtlsJson.replace('AB:AB', 'CD:CD');
  expect(await mediaErrorKindAndCode(node.client.connectTransport({ ...request, dtlsParametersJson: other }))).toBe(
    'invalid media_invalid',
  );
  const foreign = { ...request, transportId: ben.sendTransport.id };
  expect(await mediaErrorKindAndCode(node.client.connectTransport(foreign))).toBe('not_found media_not_found');
  const { iceParametersJson } = await node.client.restartIce({ ...ada.who, transportId: ada.sendTransport.id });
  const restarted = JSON.parse(iceParametersJson) as { usernameFragment: string };
  expect(restarted.usernameFragment).not.toBe(ada.sendTransport.iceParameters.usernameFragment);
});

test("other people's ids and unknown ids answer media_not_found", async () => {
  const { roomId, ada, ben } = await pair();
  const producerId = await sendVoice(node.client, ada);
  const { id } = await consumerOf(ben, producerId);
  const { client } = node;
  const nobody = { roomId, participantId: randomUUID() };
  const nowhere = { roomId: randomUUID(), participantId: ada.participantId };
  const refusals = await Promise.all(
    [
      client.restartIce({ ...ada.who, transportId: ben.receiveTransport.id }),
      client.restartIce({ ...ada.who, transportId: 'nothing' }),
      client.restartIce({ ...nobody, transportId: ada.sendTransport.id }),
      client.connectTransport({ ...nowhere, transportId: ada.sendTransport.id, dtlsParametersJson: dtlsJson }),
      client.resumeConsumers({ ...ada.who, consumerIds: [id] }),
      client.resumeConsumers({ ...ben.who, consumerIds: ['nothing'] }),
      client.setView({ ...nobody, tiles: [] }),
      client.moveSocket({ ...nowhere, gatewayId: testGatewayId }),
      client.getPeerStats(nobody),
      client.produce({
        ...nobody,
        kind: 'audio',
        source: 'microphone',
        rtpParametersJson: createVoiceParametersJson(),
        paused: false,
      }),
    ].map(mediaErrorKindAndCode),
  );
  expect(refusals).toEqual(refusals.map(() => 'not_found media_not_found'));
  // Ending another participant's track has no effect.
  await client.closeProducer({ ...ben.who, producerId });
  expect(node.room(roomId).tracks.has(producerId)).toBe(true);
});

test('invalid parameters are rejected, and the worker survives', async () => {
  const { ada } = await pair();
  const { client } = node;
  const restarts = node.app.pool?.restarts;
  const produce = (rtpParametersJson: string, kind = 'audio', source = 'microphone') =>
    client.produce({ ...ada.who, kind, source, rtpParametersJson, paused: false });
  const voice = JSON.parse(createVoiceParametersJson()) as { codecs: object[]; encodings: object[] };
  const camera = JSON.parse(createCameraParametersJson()) as { codecs: object[]; encodings: object[] };
  const refusals = await Promise.all(
    [
      produce('{'),
      produce('[]'),
      produce(JSON.stringify({ ...voice, codecs: [{ mimeType: 'audio/opus', payloadType: 1, clockRate: 44_100 }] })),
      produce(JSON.stringify({ ...voice, codecs: [{ mimeType: 'audio/none', payloadType: 1, clockRate: 48_000 }] })),
      produce(JSON.stringify({ ...voice, encodings: [{}, {}] })),
      produce(JSON.stringify(voice), 'video', 'camera'),
      produce(JSON.stringify(voice), 'audio', 'camera'),
      produce(JSON.stringify(voice), 'text'),
      produce(JSON.stringify(voice), 'audio', 'window'),
      produce(JSON.stringify({ ...camera, encodings: [{ rid: 'a' }, { rid: 'a' }] }), 'video', 'camera'),
      produce(JSON.stringify(camera)),
      client.connectTransport({
        ...ada.who,
        transportId: ada.sendTransport.id,
        dtlsParametersJson: '{"fingerprints":[]}',
      }),
      client.connectTransport({ ...ada.who, transportId: ada.sendTransport.id, dtlsParametersJson: 'null' }),
      node.join(ada.roomId, { rtpCapabilitiesJson: '{"codecs":[{"kind":"audio"}]}' }),
      node.join(ada.roomId, { rtpCapabilitiesJson: 'none' }),
      node.join(ada.roomId, { participantId: '' }),
      client.setPaused({ ...ada.who, source: 'nothing', paused: true }),
      client.setView({ ...ada.who, tiles: [tile(randomUUID(), 0)] }),
      client.setView({ ...ada.who, tiles: [{ ...tile(randomUUID()), priority: 1000 }] }),
    ].map(mediaErrorKindAndCode),
  );
  expect(refusals).toEqual(refusals.map(() => 'invalid media_invalid'));
  expect(node.app.pool?.restarts).toBe(restarts);
});

test('the number of tiles and consumers per request is limited', async () => {
  const { ada } = await pair();
  const tiles = Array.from({ length: 25 }, () => tile(randomUUID()));
  expect(await mediaErrorKindAndCode(node.client.setView({ ...ada.who, tiles }))).toBe('conflict media_limit');
  const consumerIds = Array.from({ length: 257 }, () => randomUUID());
  expect(await mediaErrorKindAndCode(node.client.resumeConsumers({ ...ada.who, consumerIds }))).toBe(
    'conflict media_limit',
  );
});

test('a client that can receive nothing still joins the room', async () => {
  const { roomId, ada } = await pair();
  await sendVoice(node.client, ada);
  const eve = await node.join(roomId, { rtpCapabilitiesJson: '{}' });
  expect(eve.consumers).toEqual([]);
});

test('frames follow the socket to another gateway', async () => {
  const { ada, ben } = await pair();
  await node.client.moveSocket({ ...ben.who, gatewayId: otherGatewayId });
  await consumerOf(ben, await sendVoice(node.client, ada));
  expect(media.deliveriesTo(ben.participantId).map((delivery) => delivery.gateway)).toEqual([otherGatewayId]);
});

test('a node with several media addresses announces all of them', async () => {
  const wide = await media.startNode({ MEDIA_LISTEN_IP: '127.0.0.1,127.0.0.2' });
  const { sendTransport } = await wide.join(randomUUID());
  const candidateAddresses = sendTransport.iceCandidates.map(({ protocol, address }) => `${protocol} ${address}`);
  expect(candidateAddresses.toSorted()).toEqual(['tcp 127.0.0.1', 'tcp 127.0.0.2', 'udp 127.0.0.1', 'udp 127.0.0.2']);
});

test('statistics of a participant who sends nothing are zero', async () => {
  const { ada } = await pair();
  const stats = await node.client.getPeerStats(ada.who);
  expect(stats).toMatchObject({ sendLoss: 0, receiveLoss: 0, jitterMs: 0, sendBitrate: 0, degradedConsumers: 0 });
});

test('metrics count what exists', async () => {
  const { ada, ben } = await pair();
  await consumerOf(ben, await sendVoice(node.client, ada));
  const own = await node.client.getNode({});
  const text = await (await fetch(node.metricsUrl)).text();
  const valueOf = (name: string) => Number(new RegExp(`^nolo_media_${name}\\{[^}]*\\} (.+)$`, 'm').exec(text)?.[1]);
  expect([valueOf('rooms'), valueOf('peers'), valueOf('consumers')]).toEqual([own.rooms, own.peers, own.consumers]);
  expect(valueOf('producers')).toBeGreaterThan(0);
  expect(valueOf('worker_load')).toBeGreaterThanOrEqual(0);
  expect(valueOf('worker_restarts_total')).toBe(0);
  for (const name of ['bytes_total', 'packet_loss_ratio', 'jitter_seconds', 'round_trip_seconds']) {
    expect(text).toContain(`# HELP nolo_media_${name} `);
  }
});

test("heartbeats report the node's load", async () => {
  const { ada, ben } = await pair();
  await consumerOf(ben, await sendVoice(node.client, ada));
  const own = await node.client.getNode({});
  expect(own).toMatchObject({ rpcAddress: node.address, draining: false });
  await eventually(() => {
    const last = media.heartbeats.findLast(({ nodeId }) => nodeId === own.nodeId);
    expect(last).toMatchObject({ rooms: own.rooms, peers: own.peers, consumers: own.consumers });
    expect(last?.load).toBeGreaterThanOrEqual(0);
    return true;
  });
});

test('a room that stays empty is closed with an event; one that fills again in time is not', async () => {
  const { roomId, ada, ben } = await pair();
  const room = node.room(roomId);
  const listReceived = () => media.events.filter((event) => event.roomId === roomId && event.type === 'room_empty');
  await Promise.all([ada, ben].map(({ who }) => node.client.leave(who)));
  const back = await node.join(roomId);
  expect(node.room(roomId)).toBe(room);
  await node.client.leave(back.who);
  // Removing an absent participant is not an error.
  await node.client.leave(back.who);
  await eventually(() => listReceived().length === 1);
  expect(room.closed).toBe(true);
  expect(node.app.rooms?.find(roomId)).toBeUndefined();
});
