import type { types } from 'mediasoup';
import { buildRouterRtpCapabilities } from '../src/media/codecs.ts';
import type { Room } from '../src/media/Room.ts';
import { Track } from '../src/media/Track.ts';
import { createVoiceParametersJson } from './startMedia.ts';

export interface Microphone {
  producer: types.Producer;
  /** Sets the volume in dBov. -127: silence. */
  setVolume(volume: number): void;
  /** Returns the number of packets sent so far. */
  sent(): number;
  stop(): void;
}

/**
 * Opens a microphone whose packets come from this process instead of a browser: one packet every 20 ms, each with the
 * level that it declares.
 */
export async function openMicrophone(room: Room, participantId: string): Promise<Microphone> {
  const peer = room.peers.get(participantId);
  if (!peer) throw new Error('The participant is not in the room.');
  const transport = await peer.shard.router.createDirectTransport();
  const rtpParameters = JSON.parse(createVoiceParametersJson()) as types.RtpParameters;
  const ssrc = rtpParameters.encodings?.[0]?.ssrc ?? 0;
  const producer = await transport.produce({ kind: 'audio', rtpParameters });
  await room.addTrack(
    new Track({ participantId: peer.id, source: 'microphone', producer, shard: peer.shard, remote: false }),
  );
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

export interface Camera {
  producer: types.Producer;
  /** Returns the number of pictures sent so far, each in three layers. */
  sent(): number;
  stop(): void;
}

/** Opens a camera like `openMicrophone`, with three layers. Every picture is a key frame in one packet. */
export async function openCamera(room: Room, participantId: string): Promise<Camera> {
  const peer = room.peers.get(participantId);
  if (!peer) throw new Error('The participant is not in the room.');
  const transport = await peer.shard.router.createDirectTransport();
  const ssrcs = [1, 2, 3];
  const producer = await transport.produce({
    kind: 'video',
    rtpParameters: {
      codecs: [{ mimeType: 'video/VP8', payloadType: 96, clockRate: 90_000 }],
      encodings: ssrcs.map((ssrc) => ({ ssrc, scalabilityMode: 'L1T3' })),
    },
  });
  await room.addTrack(
    new Track({ participantId: peer.id, source: 'camera', producer, shard: peer.shard, remote: false }),
  );
  let sent = 0;
  const timer = setInterval(() => {
    if (producer.closed) return;
    for (const ssrc of ssrcs) producer.send(picturePacket(ssrc, sent));
    sent += 1;
  }, 20);
  return {
    producer,
    sent: () => sent,
    stop() {
      clearInterval(timer);
      transport.close();
    },
  };
}

/** Builds a packet by RFC 3550 and RFC 7741. */
function picturePacket(ssrc: number, index: number): Buffer {
  const packet = Buffer.alloc(12 + 6 + 40);
  packet.writeUInt8(0x80, 0);
  packet.writeUInt8(0x80 | 96, 1);
  packet.writeUInt16BE((index + 1) & 0xff_ff, 2);
  packet.writeUInt32BE((index * 1800) >>> 0, 4);
  packet.writeUInt32BE(ssrc, 8);
  packet.writeUInt16BE(0x90_e0, 12);
  packet.writeUInt16BE(0x80_00 | (index & 0x7f_ff), 14);
  packet.writeUInt8(index & 0xff, 16);
  // Key frame tag and the start of its picture.
  packet.set([0x10, 0, 0, 0x9d, 0x01, 0x2a, 0x40, 0x01, 0xb4], 18);
  return packet;
}

/** Builds a packet by RFC 3550, with the RFC 6464 level as extension 1. */
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

/** Consumes a track from a router like a participant there, and counts its packets. */
export async function countReceivedPackets(
  router: types.Router,
  producerId: string,
): Promise<{ packets(): number; stop(): void }> {
  const transport = await router.createDirectTransport();
  const consumer = await transport.consume({ producerId, rtpCapabilities: buildRouterRtpCapabilities() });
  let packets = 0;
  consumer.on('rtp', () => {
    packets += 1;
  });
  return { packets: () => packets, stop: () => transport.close() };
}
