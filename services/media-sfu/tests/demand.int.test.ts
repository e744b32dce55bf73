import { randomUUID } from 'node:crypto';
import { eventually } from '@nolo/testing';
import { startMedia, type JoinedParticipant, type TestMedia } from './startMedia.ts';
import { countReceivedPackets, openCamera, openMicrophone, type Camera } from './rtp.ts';

let media: TestMedia;
beforeAll(async () => {
  media = await startMedia();
});
afterAll(() => media.stop());

const consumerOf = async (reader: JoinedParticipant, producerId: string): Promise<string> =>
  (
    await eventually(() =>
      media
        .framesTo(reader.participantId, 'media_consumer_added')
        .map(({ consumer }) => consumer)
        .find((consumer) => consumer.producerId === producerId),
    )
  ).id;

const tileOf = ({ participantId }: JoinedParticipant) => ({
  participantId,
  source: 'camera',
  height: 720,
  priority: 9,
});

/** Waits until a number of further pictures is sent and returns the number of packets that came out meanwhile. */
async function comesOut(camera: Camera, packets: () => number | Promise<number>, pictures = 20): Promise<number> {
  const [before, sent] = [await packets(), camera.sent()];
  await eventually(() => camera.sent() >= sent + pictures);
  return (await packets()) - before;
}

test('a camera is piped to another node only while someone there views it', async () => {
  const [one, two] = [await media.startNode(), await media.startNode()];
  const roomId = randomUUID();
  const ada = await one.join(roomId, { otherNodes: [two.address] });
  const [ben, cleo] = [
    await two.join(roomId, { otherNodes: [one.address] }),
    await two.join(roomId, { otherNodes: [one.address] }),
  ];
  const camera = await openCamera(one.room(roomId), ada.participantId);
  const { id } = camera.producer;
  const [bens, cleos] = [await consumerOf(ben, id), await consumerOf(cleo, id)];
  const arrived = async () => {
    const stats = (await two.room(roomId).tracks.get(id)?.producer.getStats()) ?? [];
    return stats.reduce((sum, { packetCount }) => sum + packetCount, 0);
  };
  const nothingComes = () => eventually(async () => (await comesOut(camera, arrived)) === 0);
  const itComes = () => eventually(async () => (await comesOut(camera, arrived)) > 0);

  await nothingComes();
  await two.client.resumeConsumers({ ...ben.who, consumerIds: [bens] });
  await itComes();
  // A ready participant on another page does not count as a viewer; one of two viewers is enough.
  await two.client.setView({ ...ben.who, tiles: [] });
  await nothingComes();
  await two.client.resumeConsumers({ ...cleo.who, consumerIds: [cleos] });
  await two.client.setView({ ...ben.who, tiles: [tileOf(ada)] });
  await two.client.leave(cleo.who);
  await itComes();
  await two.client.leave(ben.who);
  const eve = await two.join(roomId, { otherNodes: [one.address] });
  await nothingComes();
  await two.client.resumeConsumers({ ...eve.who, consumerIds: eve.consumers.map((consumer) => consumer.id) });
  await itComes();

  // The changes did not look as if Ada had hidden her camera, but pausing does.
  expect(media.framesTo(ben.participantId, 'media_consumer_paused')).toEqual([]);
  await camera.producer.pause();
  await eventually(() => media.framesTo(eve.participantId, 'media_consumer_paused').some(({ paused }) => paused));
  await camera.producer.resume();
  await itComes();
  camera.stop();
});

test('a camera is piped to another worker only while someone there views it, and a voice always', async () => {
  const node = await media.startNode({ MEDIA_WORKERS: '2', MEDIA_CONSUMERS_PER_WORKER: '3' });
  const roomId = randomUUID();
  const [ada, ben] = [await node.join(roomId), await node.join(roomId)];
  const room = node.room(roomId);
  const there = room.peers.get(ben.participantId)?.shard;
  if (!there) throw new Error('Ben is not in the room.');
  expect(room.peers.get(ada.participantId)?.shard).not.toBe(there);
  const camera = await openCamera(room, ada.participantId);
  const microphone = await openMicrophone(room, ada.participantId);
  const { id } = camera.producer;
  const consumerId = await consumerOf(ben, id);
  await consumerOf(ben, microphone.producer.id);
  const eye = await countReceivedPackets(there.router, id);
  const ear = await countReceivedPackets(there.router, microphone.producer.id);

  expect(await comesOut(camera, eye.packets)).toBe(0);
  await eventually(() => ear.packets() > 0);
  await node.client.resumeConsumers({ ...ben.who, consumerIds: [consumerId] });
  await eventually(() => eye.packets() > 0);
  await node.client.setView({ ...ben.who, tiles: [] });
  await eventually(async () => (await comesOut(camera, eye.packets)) === 0);
  expect(media.framesTo(ben.participantId, 'media_consumer_paused')).toEqual([]);

  await camera.producer.pause();
  await eventually(() => media.framesTo(ben.participantId, 'media_consumer_paused').length === 1);
  await camera.producer.resume();
  await node.client.setView({ ...ben.who, tiles: [tileOf(ada)] });
  await eventually(async () => (await comesOut(camera, eye.packets)) > 0);
  for (const one of [camera, microphone]) one.stop();
  await eventually(() => room.peers.get(ben.participantId)?.consumers.size === 0);
});

test('a view that changes while the camera ends causes no error', async () => {
  const node = await media.startNode();
  const roomId = randomUUID();
  const [ada, ben] = [await node.join(roomId), await node.join(roomId)];
  const camera = await openCamera(node.room(roomId), ada.participantId);
  const consumerId = await consumerOf(ben, camera.producer.id);
  await node.client.resumeConsumers({ ...ben.who, consumerIds: [consumerId] });
  const consumer = node.room(roomId).peers.get(ben.participantId)?.consumers.get(camera.producer.id);
  if (!consumer) throw new Error('Ben has no consumer.');
  await eventually(() => !consumer.consumer.paused);

  // The worker knows of the end, but has not yet reported to this process that the consumer closed too.
  camera.producer.close();
  expect(consumer.consumer.closed).toBe(false);
  await consumer.setDisplay(undefined);
  camera.stop();
});

test('demand for an unknown room or pipe is rejected', async () => {
  const node = await media.startNode();
  const roomId = randomUUID();
  await node.join(roomId);
  const demand = { roomId, nodeId: 'n', rpcAddress: '127.0.0.1:1', producerId: randomUUID() };
  const all = { ...demand, wanted: true, layers: 3 };
  await expect(node.client.setPipeDemand(all)).rejects.toMatchObject({ code: 'media_not_found' });
  await expect(node.client.setPipeDemand({ ...all, roomId: randomUUID() })).rejects.toMatchObject({
    code: 'media_not_found',
  });
});
