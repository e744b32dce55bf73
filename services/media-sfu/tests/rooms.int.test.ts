import { randomUUID } from 'node:crypto';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { consumerOf, inside, media, node, pair, tile } from './roomScene.ts';
import {
  dtlsJson,
  testGatewayId,
  mediaErrorKindAndCode,
  sendCamera,
  sendVoice,
  createVoiceParametersJson,
} from './startMedia.ts';

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

test('a client that can receive nothing still joins the room', async () => {
  const { roomId, ada } = await pair();
  await sendVoice(node.client, ada);
  const eve = await node.join(roomId, { rtpCapabilitiesJson: '{}' });
  expect(eve.consumers).toEqual([]);
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
