import type { types } from 'mediasoup';
import { createVoiceRtpParameters } from './syntheticMedia.ts';

const packetMs = 20;
/** Interval of packets from a silent microphone with discontinuous transmission. */
const silentEvery = 20;
const ssrc = 50;

/**
 * Simulates a microphone that talks or is silent, into a router of the synthetic participants. Opus, with its audio
 * level in an extension.
 */
export class SyntheticMicrophone {
  readonly producer: types.Producer;
  #timer: NodeJS.Timeout | undefined;
  #talking = false;
  #ticks = 0;
  #sequence = 0;

  private constructor(producer: types.Producer) {
    this.producer = producer;
  }

  static async open(router: types.Router): Promise<SyntheticMicrophone> {
    const transport = await router.createDirectTransport();
    return new SyntheticMicrophone(
      await transport.produce({ kind: 'audio', rtpParameters: createVoiceRtpParameters(ssrc) }),
    );
  }

  talk(talking: boolean): void {
    this.#talking = talking;
  }

  play(): void {
    this.#timer = setInterval(() => this.#tick(), packetMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    this.#ticks += 1;
    if (this.#talking || this.#ticks % silentEvery === 0) this.producer.send(this.#packet());
  }

  #packet(): Buffer {
    const level = this.#talking ? 30 : 127;
    this.#sequence = (this.#sequence + 1) & 0xff_ff;
    const packet = Buffer.alloc(12 + 8 + (this.#talking ? 75 : 3));
    packet.writeUInt8(0x90, 0);
    packet.writeUInt8(111, 1);
    packet.writeUInt16BE(this.#sequence, 2);
    packet.writeUInt32BE((this.#ticks * 960) >>> 0, 4);
    packet.writeUInt32BE(ssrc, 8);
    // Uses one-byte extensions (RFC 8285); the first is the level (RFC 6464).
    packet.writeUInt16BE(0xbe_de, 12);
    packet.writeUInt16BE(1, 14);
    packet.writeUInt8(0x10, 16);
    packet.writeUInt8((this.#talking ? 0x80 : 0) | level, 17);
    // A frame of silence; while talking, padded to the length of speech (RFC 6716).
    packet.set(this.#talking ? [0xfb, 0x41, 70, 0xff, 0xfe] : [0xf8, 0xff, 0xfe], 20);
    return packet;
  }
}
