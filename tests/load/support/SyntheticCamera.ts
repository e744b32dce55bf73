import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { types } from 'mediasoup';
import type { Browser } from 'playwright-core';
import { createVideoLayerRtpParameters } from './syntheticMedia.ts';

/** Frame as an encoder produced it. */
interface Picture {
  data: Buffer;
  /** Temporal layer. */
  layer: number;
}

/** Frame in Base64, for transfer to another process. */
export interface RecordedCameraFrame {
  data: string;
  layer: number;
}

/** Layers that the web sends of a camera of 720 lines: sizes and maximum bitrates. */
export const cameraLayers = [
  { width: 320, height: 180, bitrate: 150_000 },
  { width: 640, height: 360, bitrate: 500_000 },
  { width: 1280, height: 720, bitrate: 1_700_000 },
] as const;

const recordedSeconds = 5;
const payloadBytes = 1100;

/** Records a camera in all layers, in a browser, because a browser must be able to show what is sent. */
export async function recordCamera(browser: Browser, url: string, framerate: number): Promise<RecordedCameraFrame[][]> {
  const page = await browser.newPage();
  await page.addInitScript({ path: join(import.meta.dirname, 'browser/recordCamera.js') });
  // Encoders are available only in secure contexts, such as localhost.
  await page.goto(new URL('/api/config', url).href);
  const layers: RecordedCameraFrame[][] = [];
  for (const layer of cameraLayers) {
    const recordingOptions = JSON.stringify({ ...layer, framerate, frames: framerate * recordedSeconds });
    layers.push(await page.evaluate<RecordedCameraFrame[]>(`recordCamera(${recordingOptions})`));
  }
  await page.close();
  return layers;
}

/** Sends one layer: RFC 3550 and RFC 7741. */
class LayerStream {
  readonly producer: types.Producer;
  readonly ssrc: number;
  readonly #pictures: readonly Picture[];
  #next: number;
  #sequence = randomInt(30_000);
  #number = randomInt(30_000);
  #base = 0;
  #before = 0;

  constructor(producer: types.Producer, ssrc: number, pictures: readonly Picture[]) {
    this.producer = producer;
    this.ssrc = ssrc;
    this.#pictures = pictures;
    this.#next = 0;
  }

  /** Restarts at the only key frame, the beginning of the recording, when a key frame is requested. */
  restart(): void {
    this.#next = 0;
  }

  sendPicture(timestamp: number): void {
    const picture = this.#pictures[this.#next];
    if (!picture) return;
    this.#next = (this.#next + 1) % this.#pictures.length;
    this.#number = (this.#number + 1) & 0x7f_ff;
    if (picture.layer === 0) this.#base = (this.#base + 1) & 0xff;
    // A frame that needs only the base layer may be the first of its temporal layer that a receiver gets.
    const isSync = picture.layer === 1 || (picture.layer === 2 && this.#before === 0);
    this.#before = picture.layer;
    for (let at = 0; at < picture.data.length; at += payloadBytes) {
      const payload = picture.data.subarray(at, at + payloadBytes);
      const packet = Buffer.allocUnsafe(18 + payload.length);
      this.#sequence = (this.#sequence + 1) & 0xff_ff;
      const isLast = at + payloadBytes >= picture.data.length;
      packet.writeUInt8(0x80, 0);
      packet.writeUInt8((isLast ? 0x80 : 0) | 96, 1);
      packet.writeUInt16BE(this.#sequence, 2);
      packet.writeUInt32BE(timestamp, 4);
      packet.writeUInt32BE(this.ssrc, 8);
      packet.writeUInt16BE(at === 0 ? 0x90_e0 : 0x80_e0, 12);
      packet.writeUInt16BE(0x80_00 | this.#number, 14);
      packet.writeUInt8(this.#base, 16);
      packet.writeUInt8((picture.layer << 6) | (isSync ? 0x20 : 0), 17);
      payload.copy(packet, 18);
      this.producer.send(packet);
    }
  }
}

/** Camera that plays a recording, in three layers, into a router of the synthetic participants. */
export class SyntheticCamera {
  readonly #layers: readonly LayerStream[];
  /** Number of frames so far, each in all layers. */
  played = 0;
  #timer: NodeJS.Timeout | undefined;

  private constructor(layers: readonly LayerStream[], transport: types.DirectTransport) {
    this.#layers = layers;
    transport.on('rtcp', (packet) => this.#receivePacket(packet));
  }

  static async open(router: types.Router, recording: readonly RecordedCameraFrame[][]): Promise<SyntheticCamera> {
    const transport = await router.createDirectTransport();
    const layers: LayerStream[] = [];
    for (const pictures of recording) {
      const ssrc = 100 + layers.length;
      const producer = await transport.produce({
        kind: 'video',
        rtpParameters: createVideoLayerRtpParameters(ssrc),
        // A hundred receivers may request one at once.
        keyFrameRequestDelay: 1000,
      });
      const played = pictures.map(({ data, layer }) => ({ data: Buffer.from(data, 'base64'), layer }));
      layers.push(new LayerStream(producer, ssrc, played));
    }
    return new SyntheticCamera(layers, transport);
  }

  /** Producer ids of the layers, lowest first. */
  get producerIds(): string[] {
    return this.#layers.map(({ producer }) => producer.id);
  }

  play(framerate: number): void {
    const began = performance.now();
    this.#timer = setInterval(() => {
      const timestamp = Math.round((performance.now() - began) * 90) >>> 0;
      for (const layer of this.#layers) layer.sendPicture(timestamp);
      this.played += 1;
    }, 1000 / framerate);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Finds requests for a key frame (RFC 4585, picture loss) in receiver reports. */
  #receivePacket(packet: Buffer): void {
    for (let at = 0; at + 12 <= packet.length; at += 4 * (packet.readUInt16BE(at + 2) + 1)) {
      if (packet.readUInt8(at + 1) !== 206 || (packet.readUInt8(at) & 0x1f) !== 1) continue;
      const ssrc = packet.readUInt32BE(at + 8);
      this.#layers.find((layer) => layer.ssrc === ssrc)?.restart();
    }
  }
}
