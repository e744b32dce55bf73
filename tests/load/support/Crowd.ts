import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@nolo/testing';
import { limits } from '@nolo/rules';
import type { types } from 'mediasoup';
import type { Browser } from 'playwright-core';
import type { WorkerPool } from '../../../services/media-sfu/src/media/WorkerPool.ts';
import { Face, recordCamera } from './Face.ts';
import type { forkMediaNode } from './forks.ts';
import { SyntheticPeer, type Received } from './SyntheticPeer.ts';
import { startRouter } from './syntheticMedia.ts';
import { Voice } from './Voice.ts';

/** Recordings that play apart from each other, so that not everybody's pictures come at one moment. */
const faceCount = 8;
const speakerCount = 6;
const talkingAtOnce = 3;
const turnMs = 3000;
/** Of a tile on a page of twelve, in device pixels. */
const tileHeight = 224;
const joinsAtOnce = 4;

async function inTurns<T>(all: readonly T[], work: (one: T, index: number) => Promise<void>): Promise<void> {
  const waiting = [...all.entries()];
  const go = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: joinsAtOnce }, go));
}

/** Everybody in a meeting who has no browser. */
export class Crowd {
  readonly pid: number;
  readonly #pool: WorkerPool;
  readonly #faces: readonly Face[];
  readonly #voices: readonly Voice[];
  readonly #quiet: Voice;
  readonly #router: types.Router;
  readonly #peers: SyntheticPeer[] = [];
  readonly #framerate: number;
  #talk: NodeJS.Timeout | undefined;

  private constructor(options: {
    pid: number;
    pool: WorkerPool;
    router: types.Router;
    faces: Face[];
    voices: Voice[];
    quiet: Voice;
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

  static async open(browser: Browser, url: string, framerate: number): Promise<Crowd> {
    const recording = await recordCamera(browser, url, framerate);
    const { pool, pid, router } = await startRouter();
    const faces: Face[] = [];
    for (let index = 0; index < faceCount; index += 1) faces.push(await Face.open(router, recording));
    const voices: Voice[] = [];
    for (let index = 0; index < speakerCount; index += 1) voices.push(await Voice.open(router));
    return new Crowd({ pid, pool, router, faces, voices, quiet: await Voice.open(router), framerate });
  }

  get size(): number {
    return this.#peers.length;
  }

  /** All of them come in, then play, send, and see the page of the twelve who came after them. */
  async meet(
    url: string,
    tokens: readonly string[],
    roomCode: string,
    node: ReturnType<typeof forkMediaNode>,
  ): Promise<void> {
    // The node answers one question at a time.
    let asked: Promise<unknown> = Promise.resolve();
    const connect: Parameters<typeof SyntheticPeer.join>[0]['connect'] = (transport) => {
      const turn = asked.then(() => node.ask({ ask: 'connect', ...transport }));
      asked = turn;
      return turn;
    };
    const router = this.#router;
    await inTurns(tokens, async (token) => {
      this.#peers.push(await SyntheticPeer.join({ url, token, roomCode, router, connect }));
    });
    await inTurns(this.#peers, async (peer, index) => {
      const face = this.#faces[index % faceCount];
      const voice = this.#voices[index] ?? this.#quiet;
      if (face) await peer.send(face.producerIds, voice.producer.id);
    });
    const everything = (this.size - 1) * 2;
    await eventually(() => this.#peers.every((peer) => peer.offered().length >= everything), { timeoutMs: 120_000 });
    const ids = this.#peers.map(({ participantId }) => participantId);
    const voices = new Set(ids.slice(0, speakerCount));
    await inTurns(this.#peers, async (peer, index) => {
      const page = Array.from({ length: limits.visibleTiles }, (_, tile) => ids[(index + 1 + tile) % ids.length] ?? '');
      await peer.look(new Set(page), voices, tileHeight);
    });
    await this.#play();
  }

  async received(kind: types.MediaKind): Promise<Received> {
    const sum: Received = { packets: 0, lost: 0, repaired: 0 };
    for (const peer of this.#peers) {
      const { packets, lost, repaired } = await peer.received(kind);
      sum.packets += packets;
      sum.lost += lost;
      sum.repaired += repaired;
    }
    return sum;
  }

  async #play(): Promise<void> {
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
      // Apart from each other within one picture's time.
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
