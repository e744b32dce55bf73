import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@nolo/rules';
import type { types } from 'mediasoup';
import type { WorkerPool } from '../../../services/media-sfu/src/media/WorkerPool.ts';
import { SyntheticCamera, type RecordedCameraFrame } from './SyntheticCamera.ts';
import { SyntheticPeer, type ReceivedPackets } from './SyntheticPeer.ts';
import { startMediaRouter } from './syntheticMedia.ts';
import { SyntheticMicrophone } from './SyntheticMicrophone.ts';

/** Number of recordings, played with an offset, so that frames do not all arrive at one moment. */
const faceCount = 8;
const speakerCount = 6;
const talkingAtOnce = 3;
const turnMs = 3000;
/** Height of a tile on a page of twelve, in device pixels. */
const tileHeight = 224;
const joinsAtOnce = 4;

async function forEachInParallel<T>(all: readonly T[], work: (one: T, index: number) => Promise<void>): Promise<void> {
  const waiting = [...all.entries()];
  const go = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: joinsAtOnce }, go));
}

/** Simulates participants without a browser, as many as one process handles. */
export class SyntheticParticipants {
  readonly pid: number;
  readonly #pool: WorkerPool;
  readonly #faces: readonly SyntheticCamera[];
  readonly #voices: readonly SyntheticMicrophone[];
  readonly #quiet: SyntheticMicrophone;
  readonly #router: types.Router;
  readonly #peers: SyntheticPeer[] = [];
  readonly #framerate: number;
  #talk: NodeJS.Timeout | undefined;
  /** Number of voices that have a microphone. */
  #speakers = 0;

  private constructor(options: {
    pid: number;
    pool: WorkerPool;
    router: types.Router;
    faces: SyntheticCamera[];
    voices: SyntheticMicrophone[];
    quiet: SyntheticMicrophone;
    framerate: number;
  }) {
    this.pid = options.pid;
    this.#pool = options.pool;
    this.#router = options.router;
    this.#faces = options.faces;
    this.#voices = options.voices;
    this.#quiet = options.quiet;
    this.#framerate = options.framerate;
  }

  static async open(recording: readonly RecordedCameraFrame[][], framerate: number): Promise<SyntheticParticipants> {
    const { pool, pid, router } = await startMediaRouter();
    const faces: SyntheticCamera[] = [];
    for (let index = 0; index < faceCount; index += 1) faces.push(await SyntheticCamera.open(router, recording));
    const voices: SyntheticMicrophone[] = [];
    for (let index = 0; index < speakerCount; index += 1) voices.push(await SyntheticMicrophone.open(router));
    return new SyntheticParticipants({
      pid,
      pool,
      router,
      faces,
      voices,
      quiet: await SyntheticMicrophone.open(router),
      framerate,
    });
  }

  /**
   * All join. Returns their participant ids. `nodeUrl` is where a synthetic transport of the media node is connected.
   */
  async join(where: { url: string; tokens: readonly string[]; roomCode: string; nodeUrl: string }): Promise<string[]> {
    const { url, tokens, roomCode, nodeUrl } = where;
    const connect: Parameters<typeof SyntheticPeer.join>[0]['connect'] = async (transport) => {
      const reply = await fetch(nodeUrl, { method: 'POST', body: JSON.stringify(transport) });
      if (!reply.ok) throw new Error(`Connecting a transport failed: ${await reply.text()}`);
    };
    const router = this.#router;
    await forEachInParallel(tokens, async (token) => {
      this.#peers.push(await SyntheticPeer.join({ url, token, roomCode, router, connect }));
    });
    return this.#peers.map(({ participantId }) => participantId);
  }

  /**
   * Each sends a camera. The first of all participants, some of them in other processes, also send a microphone, and
   * the first of those have a voice.
   */
  async send(all: readonly string[], microphones: number): Promise<void> {
    this.#speakers = Math.min(microphones, speakerCount);
    await forEachInParallel(this.#peers, async (peer, index) => {
      const face = this.#faces[index % faceCount];
      const place = all.indexOf(peer.participantId);
      const voice = place < microphones ? (this.#voices[place] ?? this.#quiet) : undefined;
      if (face) await peer.send(face.producerIds, voice?.producer.id);
    });
  }

  /** Each sees the page of the twelve who joined after it. */
  async viewTiles(all: readonly string[]): Promise<void> {
    const voices = new Set(all.slice(0, this.#speakers));
    await forEachInParallel(this.#peers, async (peer) => {
      const index = all.indexOf(peer.participantId);
      const page = Array.from({ length: limits.visibleTiles }, (_, tile) => all[(index + 1 + tile) % all.length] ?? '');
      await peer.viewTiles(new Set(page), voices, tileHeight);
    });
  }

  /** Average number of frames that a camera has played so far. */
  get played(): number {
    return this.#faces.reduce((sum, face) => sum + face.played, 0) / this.#faces.length;
  }

  async received(kind: types.MediaKind): Promise<ReceivedPackets> {
    const sum: ReceivedPackets = { packets: 0, lost: 0, repaired: 0 };
    const received = await Promise.all(this.#peers.map(async (peer) => await peer.received(kind)));
    for (const { packets, lost, repaired } of received) {
      sum.packets += packets;
      sum.lost += lost;
      sum.repaired += repaired;
    }
    return sum;
  }

  async play(): Promise<void> {
    let turn = 0;
    const next = () => {
      turn += 1;
      for (const [index, voice] of this.#voices.entries()) voice.talk((index + turn) % speakerCount < talkingAtOnce);
    };
    next();
    this.#talk = setInterval(next, turnMs);
    for (const voice of [...this.#voices, this.#quiet]) voice.play();
    for (const face of this.#faces) {
      face.play(this.#framerate);
      // Offsets the faces within the duration of one frame.
      await sleep(1000 / this.#framerate / faceCount);
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#talk);
    for (const one of [...this.#faces, ...this.#voices, this.#quiet]) one.stop();
    for (const peer of this.#peers) peer.leave();
    await this.#pool.stop();
  }
}
