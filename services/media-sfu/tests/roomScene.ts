import { randomUUID } from 'node:crypto';
import { eventually } from '@nolo/testing';
import { startMedia, type JoinedParticipant, type TestMedia, type TestNode } from './startMedia.ts';

/** Media under test. Importing this file starts it with one node. */
export let media: TestMedia;
export let node: TestNode;
beforeAll(async () => {
  media = await startMedia();
  node = await media.startNode({}, { emptyRoomMs: 300 });
});
afterAll(() => media.stop());

export const tile = (participantId: string, height = 720, source = 'camera') => ({
  participantId,
  source,
  height,
  priority: 9,
});

/** Waits for the frame that brings a consumer and returns the consumer. */
export const consumerOf = (reader: JoinedParticipant, producerId: string) =>
  eventually(
    () =>
      media
        .framesTo(reader.participantId, 'media_consumer_added')
        .map(({ consumer }) => consumer)
        .find((consumer) => consumer.producerId === producerId) ?? false,
  );

/** Returns mediasoup's own consumer, as it is in the worker. */
export const inside = (reader: JoinedParticipant, producerId: string) => {
  const one = node.room(reader.roomId).peers.get(reader.participantId)?.consumers.get(producerId);
  if (!one) throw new Error('There is no such consumer.');
  return one.consumer;
};

export async function pair(): Promise<{ roomId: string; ada: JoinedParticipant; ben: JoinedParticipant }> {
  const roomId = randomUUID();
  const [ada, ben] = [await node.join(roomId), await node.join(roomId)];
  // Sends a request from each, so frames are no longer held.
  await Promise.all([ada, ben].map(({ who }) => node.client.resumeConsumers({ ...who, consumerIds: [] })));
  return { roomId, ada, ben };
}
