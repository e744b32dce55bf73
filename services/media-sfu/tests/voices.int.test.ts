import { randomUUID } from 'node:crypto';
import { eventually } from '@nolo/testing';
import { startMedia, type JoinedParticipant, type TestMedia, type TestNode } from './startMedia.ts';
import { countReceivedPackets, openMicrophone, type Microphone } from './rtp.ts';

let media: TestMedia;
let node: TestNode;
const microphones: Microphone[] = [];
beforeAll(async () => {
  media = await startMedia();
  node = await media.startNode({ MEDIA_WORKERS: '2', MEDIA_CONSUMERS_PER_WORKER: '9' });
});
afterEach(() => {
  for (const microphone of microphones.splice(0)) microphone.stop();
});
afterAll(() => media.stop());

async function people(count: number): Promise<{ roomId: string; joined: JoinedParticipant[]; voices: Microphone[] }> {
  const roomId = randomUUID();
  const joined: JoinedParticipant[] = [];
  const voices: Microphone[] = [];
  for (let index = 0; index < count; index += 1) joined.push(await node.join(roomId));
  for (const { participantId } of joined) voices.push(await openMicrophone(node.room(roomId), participantId));
  microphones.push(...voices);
  const { peers } = node.room(roomId);
  await eventually(() => [...peers.values()].every(({ consumers }) => consumers.size === count - 1));
  for (const { who } of joined) {
    const consumerIds = [...peers.get(who.participantId)!.consumers.values()].map(({ consumer }) => consumer.id);
    await node.client.resumeConsumers({ ...who, consumerIds });
  }
  return { roomId, joined, voices };
}

/** Returns the indexes of voices that a participant receives. */
function listForwardedVoices(roomId: string, { participantId }: JoinedParticipant, voices: Microphone[]): number[] {
  const consumers = node.room(roomId).peers.get(participantId)!.consumers;
  return voices.flatMap(({ producer }, index) => (consumers.get(producer.id)?.sending ? [index] : []));
}

test('a room of four forwards every voice', async () => {
  const { roomId, joined, voices } = await people(4);
  await eventually(() => expect(listForwardedVoices(roomId, joined[0]!, voices)).toEqual([1, 2, 3]) ?? true);
});

test('a larger room forwards the three loudest voices of all workers, and shows everyone who speaks', async () => {
  const { roomId, joined, voices } = await people(6);
  expect(node.room(roomId).shards.length).toBe(2);
  voices[3]!.setVolume(-20);
  voices[4]!.setVolume(-25);
  voices[5]!.setVolume(-30);
  await eventually(() => expect(listForwardedVoices(roomId, joined[0]!, voices)).toEqual([3, 4, 5]) ?? true);
  await eventually(() => expect(listForwardedVoices(roomId, joined[4]!, voices)).toEqual([3, 5]) ?? true);
  const speakersOf = ({ participantId }: JoinedParticipant) =>
    media
      .framesTo(participantId, 'media_speakers')
      .at(-1)
      ?.speakers.map((speaker) => speaker.participantId) ?? [];
  const speaking = [3, 4, 5].map((index) => joined[index]!.participantId).toSorted();
  await eventually(() => joined.every((one) => speakersOf(one).toSorted().join() === speaking.join()));

  // A louder voice replaces the quietest one.
  voices[5]!.setVolume(-127);
  voices[1]!.setVolume(-15);
  await eventually(() => expect(listForwardedVoices(roomId, joined[0]!, voices)).toEqual([1, 3, 4]) ?? true);

  for (const voice of voices) voice.setVolume(-127);
  await eventually(() => joined.every((one) => speakersOf(one).length === 0));
  // Silence does not change who is forwarded.
  expect(listForwardedVoices(roomId, joined[0]!, voices)).toEqual([1, 3, 4]);
});

test('muting makes room for another voice', async () => {
  const { roomId, joined, voices } = await people(5);
  voices[1]!.setVolume(-20);
  voices[2]!.setVolume(-20);
  voices[3]!.setVolume(-20);
  await eventually(() => expect(listForwardedVoices(roomId, joined[0]!, voices)).toEqual([1, 2, 3]) ?? true);
  // Loud enough for a free place, but not to replace someone.
  voices[4]!.setVolume(-50);
  await voices[2]!.producer.pause();
  await eventually(() => expect(listForwardedVoices(roomId, joined[0]!, voices)).toEqual([1, 3, 4]) ?? true);
});

test('a room on two workers carries packets from one to the other', async () => {
  const { roomId, joined, voices } = await people(6);
  const room = node.room(roomId);
  const sender = room.peers.get(joined[0]!.participantId)!;
  const other = room.shards.find((shard) => shard !== sender.shard)!;
  const ear = await countReceivedPackets(other.router, voices[0]!.producer.id);
  await eventually(() => ear.packets() >= 50);
  ear.stop();
});
