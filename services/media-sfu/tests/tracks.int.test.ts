import { randomUUID } from 'node:crypto';
import { eventually } from '@nolo/testing';
import { consumerOf, inside, media, node, pair, tile } from './roomScene.ts';
import {
  createCameraParametersJson,
  testGatewayId,
  otherGatewayId,
  mediaErrorKindAndCode,
  sendCamera,
  sendVoice,
  createVoiceParametersJson,
} from './startMedia.ts';

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

test('frames follow the socket to another gateway', async () => {
  const { ada, ben } = await pair();
  await node.client.moveSocket({ ...ben.who, gatewayId: otherGatewayId });
  await consumerOf(ben, await sendVoice(node.client, ada));
  expect(media.deliveriesTo(ben.participantId).map((delivery) => delivery.gateway)).toEqual([otherGatewayId]);
});
