import type { types } from 'mediasoup';
import { routerRtpCapabilities } from '../src/media/codecs.ts';
import type { Room } from '../src/media/Room.ts';
import { Track } from '../src/media/Track.ts';
import { voiceParameters } from './mediaUnderTest.ts';

export interface Microphone {
  producer: types.Producer;
  /** In dBov; -127 is silence. */
  setVolume(volume: number): void;
  /** Packets sent so far. */
  sent(): number;
  stop(): void;
}

/**
 * A microphone whose packets come from this process instead of from a browser: a packet every 20 ms, each with the
 * level that it says it has.
 */
export async function openMicrophone(room: Room, participantId: string): Promise<Microphone> {
  const peer = room.peers.get(participantId);
  if (!peer) throw new Error('This participant is not in the room.');
  const transport = await peer.shard.router.createDirectTransport();
  const rtpParameters = JSON.parse(voiceParameters()) as types.RtpParameters;
  const ssrc = rtpParameters.encodings?.[0]?.ssrc ?? 0;
  const producer = await transport.produce({ kind: 'audio', rtpParameters });
  await room.addTrack(new Track({ participantId, source: 'microphone', producer, shard: peer.shard, remote: false }));
  let [volume, sent] = [-127, 0];
  const timer = setInterval(() => {
    if (producer.closed) return;
    producer.send(voicePacket(ssrc, sent, volume));
    sent += 1;
  }, 20);
  return {
    producer,
    setVolume: (next) => void (volume = next),
    sent: () => sent,
    stop() {
      clearInterval(timer);
      transport.close();
    },
  };
}

/** RFC 3550, with the level of RFC 6464 as extension 1. */
function voicePacket(ssrc: number, index: number, volume: number): Buffer {
  const packet = Buffer.alloc(12 + 8 + 40, 7);
  packet.writeUInt8(0x90, 0);
  packet.writeUInt8(111, 1);
  packet.writeUInt16BE((index + 1) & 0xff_ff, 2);
  packet.writeUInt32BE((index * 960) >>> 0, 4);
  packet.writeUInt32BE(ssrc, 8);
  packet.writeUInt16BE(0xbe_de, 12);
  packet.writeUInt16BE(1, 14);
  packet.writeUInt8(0x10, 16);
  packet.writeUInt8(-volume, 17);
  packet.writeUInt16BE(0, 18);
  return packet;
}

/** Takes a track from a router as a participant there would, and counts its packets. */
export async function listen(router: types.Router, producerId: string): Promise<{ packets(): number; stop(): void }> {
  const transport = await router.createDirectTransport();
  const consumer = await transport.consume({ producerId, rtpCapabilities: routerRtpCapabilities() });
  let packets = 0;
  consumer.on('rtp', () => {
    packets += 1;
  });
  return { packets: () => packets, stop: () => transport.close() };
}
