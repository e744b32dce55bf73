import { randomUUID } from 'node:crypto';
import { eventually } from '@nolo/testing';
import {
  otherGatewayId,
  sendCamera,
  sendVoice,
  startMedia,
  type JoinedParticipant,
  type TestMedia,
  type TestNode,
} from './startMedia.ts';

let media: TestMedia;
beforeAll(async () => {
  media = await startMedia();
});
afterAll(() => media.stop());

const startNode = (variables?: Record<string, string>, fewerLayersAfterMs = 100) =>
  media.startNode(variables, { fewerLayersAfterMs });

/** Returns all layer counts sent to the sender of a video. */
const listReceivedLayers = ({ participantId }: JoinedParticipant, producerId: string) =>
  media
    .framesTo(participantId, 'media_layers')
    .filter((one) => one.producerId === producerId)
    .map(({ layers }) => layers);

const waitForLayers = (sender: JoinedParticipant, producerId: string, layers: number[]) =>
  eventually(() => {
    expect(listReceivedLayers(sender, producerId)).toEqual(layers);
    return true;
  });

/** Waits for the final layer count, for cases where intermediate ones may or may not be sent. */
const untilLayersRequested = (sender: JoinedParticipant, producerId: string, layers: number) =>
  eventually(() => listReceivedLayers(sender, producerId).at(-1) === layers);

/** Sets a view with one camera, `height` lines high. */
const viewCamera = (
  { client }: TestNode,
  { who }: JoinedParticipant,
  { participantId }: JoinedParticipant,
  height: number,
) => client.setView({ ...who, tiles: [{ participantId, source: 'camera', height, priority: 9 }] });

test('a sender is asked for the layers of its most demanding viewer, and for none without viewers', async () => {
  const node = await startNode();
  const roomId = randomUUID();
  const ada = await node.join(roomId);
  const camera = await sendCamera(node.client, ada);
  await sendVoice(node.client, ada);
  // A sender who is alone in a room has nothing to send.
  await waitForLayers(ada, camera, [0]);

  // Encoding starts before a newcomer is ready, because the video is requested earlier.
  const ben = await node.join(roomId);
  await waitForLayers(ada, camera, [0, 1]);
  await node.client.resumeConsumers({ ...ben.who, consumerIds: ben.consumers.map(({ id }) => id) });
  await viewCamera(node, ben, ada, 720);
  await waitForLayers(ada, camera, [0, 1, 3]);

  const cleo = await node.join(roomId);
  await viewCamera(node, cleo, ada, 360);
  await node.client.leave(ben.who);
  await waitForLayers(ada, camera, [0, 1, 3, 2]);
  await viewCamera(node, cleo, ada, 90);
  await waitForLayers(ada, camera, [0, 1, 3, 2, 1]);
  await node.client.setView({ ...cleo.who, tiles: [] });
  await waitForLayers(ada, camera, [0, 1, 3, 2, 1, 0]);

  // Viewing does not turn a hidden camera on: hiding it is the sender's own choice.
  await node.client.setPaused({ ...ada.who, source: 'camera', paused: true });
  await viewCamera(node, cleo, ada, 720);
  await waitForLayers(ada, camera, [0, 1, 3, 2, 1, 0, 3]);
  // Voices have no layers.
  expect(new Set(media.framesTo(ada.participantId, 'media_layers').map(({ producerId }) => producerId))).toEqual(
    new Set([camera]),
  );
});

test('a viewer who turns the page and back takes nothing from the sender', async () => {
  const node = await startNode({}, 60_000);
  const roomId = randomUUID();
  const [ada, ben] = [await node.join(roomId), await node.join(roomId)];
  const camera = await sendCamera(node.client, ada);
  await eventually(() => media.framesTo(ben.participantId, 'media_consumer_added').length === 1);
  for (const height of [720, 90, 720]) await viewCamera(node, ben, ada, height);
  await node.client.setView({ ...ben.who, tiles: [] });
  // Sends a frame that arrives after all earlier ones.
  await sendVoice(node.client, ben);
  await eventually(() => media.framesTo(ada.participantId, 'media_consumer_added').length === 1);
  expect(listReceivedLayers(ada, camera)).toEqual([]);
});

test('viewers on other nodes count like local ones', async () => {
  const [one, two] = [await startNode(), await startNode()];
  const roomId = randomUUID();
  const ada = await one.join(roomId, { otherNodes: [two.address] });
  const ben = await two.join(roomId, { otherNodes: [one.address] });
  const camera = await sendCamera(one.client, ada);
  await eventually(() => media.framesTo(ben.participantId, 'media_consumer_added').length === 1);
  await untilLayersRequested(ada, camera, 1);
  await viewCamera(two, ben, ada, 360);
  await untilLayersRequested(ada, camera, 2);
  // A small tile here changes nothing while a larger one exists on the other node.
  const cleo = await one.join(roomId);
  await viewCamera(one, cleo, ada, 90);
  await viewCamera(two, ben, ada, 720);
  await untilLayersRequested(ada, camera, 3);
  await two.client.leave(ben.who);
  await untilLayersRequested(ada, camera, 1);
  await one.client.leave(cleo.who);
  await untilLayersRequested(ada, camera, 0);
});

test('viewers on other workers count like local ones', async () => {
  const node = await startNode({ MEDIA_WORKERS: '2', MEDIA_CONSUMERS_PER_WORKER: '3' });
  const roomId = randomUUID();
  const [ada, ben] = [await node.join(roomId), await node.join(roomId)];
  const { peers } = node.room(roomId);
  expect(peers.get(ada.participantId)?.shard).not.toBe(peers.get(ben.participantId)?.shard);
  const camera = await sendCamera(node.client, ada);
  await eventually(() => media.framesTo(ben.participantId, 'media_consumer_added').length === 1);
  await untilLayersRequested(ada, camera, 1);
  await viewCamera(node, ben, ada, 720);
  await untilLayersRequested(ada, camera, 3);
  await node.client.setView({ ...ben.who, tiles: [] });
  await untilLayersRequested(ada, camera, 0);
});

test('a client that returns on another gateway is sent the current state again', async () => {
  const node = await startNode();
  const roomId = randomUUID();
  const ada = await node.join(roomId);
  const camera = await sendCamera(node.client, ada);
  await waitForLayers(ada, camera, [0]);
  await node.client.moveSocket({ ...ada.who, gatewayId: otherGatewayId });
  await waitForLayers(ada, camera, [0, 0]);
  const last = media.deliveriesTo(ada.participantId).at(-1);
  expect(last).toMatchObject({ gateway: otherGatewayId, frame: { type: 'media_layers', data: { layers: 0 } } });
});
