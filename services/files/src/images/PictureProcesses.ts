import { isAppError } from '@nolo/kit/errors';
import { FairQueue } from '@nolo/kit/fairQueue';
import type { UserId } from '@nolo/kit/ids';
import type { Picture, PictureMaker, PictureSource } from '../domain/ports.ts';
import type { PictureShape } from '../domain/purposes.ts';
import type { CleanPicture, PictureCleaner, Thumbnail } from '../domain/sharedPorts.ts';
import { imageTooLarge, pictureChanged, picturesBusy } from '../errors.ts';
import type { Made, Work } from '../worker/messages.ts';
import { PictureProcess, type PictureLimits, type WorkTime } from './PictureProcess.ts';

/** Why nothing was made of a picture, before it was decoded. */
export type PictureRefusal = 'too_large' | 'busy' | 'spent';

export interface PictureProcessesOptions extends PictureLimits {
  /** Pictures that are made at the same time, each in a process of its own. */
  readonly atOnce?: number;
  /** For how long a process that has nothing to do is kept. */
  readonly idleMs?: number;
  /** How long it may take until a picture begins to be made. */
  readonly beforeMs?: number;
  /**
   * Takes what a picture costs, in megapixels, from what its account may have.
   *
   * @throws AppError picture_limit
   */
  readonly spend: (account: UserId, cost: number) => Promise<void>;
  readonly onRefused: (reason: PictureRefusal, cost: number) => void;
}

/** As many as the uploads of one account that a browser has under way, twice. */
const maxWaitingPerKey = 12;
/** Those that wait hold no memory. */
const maxWaiting = 128;
const maxWaitMs = 30_000;
/**
 * The gateway waits for two minutes, of which making one takes up to 60 s. Before, a picture waits to be measured, is
 * measured, and waits to be made; the rest is for reading and writing it.
 */
const mostBeforeMs = 45_000;

/** In megapixels: a photograph of a phone, or a screen. Larger ones have all processes but one. */
const lightCost = 24;
/** In bytes, for what is measured: headers are small, but animations are read to their end. */
const lightBytes = 8 * 2 ** 20;
const measuredAtOnce = 2;

/** Some five times what pictures of that cost take: those that want more were made to. */
const cpuMsFor = (cost: number) => 5_000 + 400 * cost;
const measuringTime = { cpuMs: 3_000, wallMs: 30_000 };
/** More than an honest picture takes for each megapixel: its account pays for what it took beyond. */
const cpuMsPerMegapixel = 100;

/**
 * Makes pictures in processes of their own, which come with the first picture and go when there are none. What each costs
 * is read from its header before, and decides how long it waits.
 */
export class PictureProcesses implements PictureMaker, PictureCleaner {
  readonly #options: PictureProcessesOptions;
  readonly #measuring: FairQueue;
  readonly #making: FairQueue;
  readonly #idle = new Map<PictureProcess, NodeJS.Timeout>();
  readonly #busy = new Set<PictureProcess>();
  #stopped = false;

  constructor(options: PictureProcessesOptions) {
    this.#options = options;
    const { atOnce = 2, onRefused } = options;
    const room = { maxWaiting, maxWaitingPerKey, maxWaitMs };
    this.#measuring = new FairQueue({
      ...room,
      atOnce: measuredAtOnce,
      lightCost: lightBytes,
      heavyAtOnce: 1,
      busy: picturesBusy,
    });
    this.#making = new FairQueue({
      ...room,
      atOnce,
      lightCost,
      heavyAtOnce: Math.max(1, atOnce - 1),
      busy: (cost) => {
        onRefused('busy', cost);
        return picturesBusy();
      },
    });
  }

  /** Pictures that wait to be measured or made. */
  get waiting(): number {
    return this.#measuring.waiting + this.#making.waiting;
  }

  /** Megapixels that wait to be made. */
  get waitingCost(): number {
    return this.#making.waitingCost;
  }

  make(account: UserId, source: PictureSource, shape: PictureShape): Promise<Picture> {
    return this.#inTurn(account, source, undefined, (bytes, charged) => ({ kind: 'make', bytes, charged, shape }));
  }

  clean(account: UserId, source: PictureSource, type: string, given: readonly Thumbnail[]): Promise<CleanPicture> {
    return this.#inTurn(account, source, type, (bytes, charged) => ({ kind: 'clean', bytes, charged, type, given }));
  }

  /** Idempotent. What is being made is told that it may be tried again. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#idle.values()) clearTimeout(timer);
    await Promise.all([...this.#idle.keys(), ...this.#busy].map((worker) => worker.end()));
    this.#idle.clear();
  }

  async #inTurn<W extends Work>(
    account: UserId,
    source: PictureSource,
    type: string | undefined,
    workOn: (bytes: Uint8Array, charged: number) => W,
  ): Promise<Made[W['kind']]> {
    const late = AbortSignal.timeout(this.#options.beforeMs ?? mostBeforeMs);
    const signal = source.signal ? AbortSignal.any([source.signal, late]) : late;
    const read = async () => {
      const bytes = await source.read();
      if (bytes.length !== source.size) throw pictureChanged();
      return bytes;
    };
    try {
      const { cost, isTooLarge } = await this.#measuring.take(
        async () => this.#work({ kind: 'measure', bytes: await read(), type }, measuringTime),
        { key: account, cost: source.size, signal },
      );
      if (isTooLarge) {
        this.#options.onRefused('too_large', cost);
        throw imageTooLarge();
      }
      return await this.#making.take(
        async (spendMore) => {
          const bytes = await read();
          signal.throwIfAborted();
          await this.#spend(account, cost);
          const onCpu = (cpuMs: number) => spendMore(Math.max(0, cpuMs / cpuMsPerMegapixel - cost));
          return this.#work(workOn(bytes, cost), { cpuMs: cpuMsFor(cost), onCpu });
        },
        { key: account, cost, signal },
      );
    } catch (error) {
      // It took too long, or nobody waits for the answer: the picture may be tried again.
      throw signal.aborted && error === signal.reason ? picturesBusy() : error;
    }
  }

  async #spend(account: UserId, cost: number): Promise<void> {
    try {
      await this.#options.spend(account, cost);
    } catch (error) {
      if (isAppError(error) && error.kind === 'rate_limited') this.#options.onRefused('spent', cost);
      throw error;
    }
  }

  async #work<W extends Work>(work: W, time: WorkTime): Promise<Made[W['kind']]> {
    if (this.#stopped) throw picturesBusy();
    const worker = this.#take();
    this.#busy.add(worker);
    try {
      return await worker.work(work, time);
    } finally {
      this.#busy.delete(worker);
      this.#giveBack(worker);
    }
  }

  #take(): PictureProcess {
    for (const [worker, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(worker);
      if (worker.alive) return worker;
    }
    return new PictureProcess(this.#options);
  }

  #giveBack(worker: PictureProcess): void {
    if (!worker.alive || this.#stopped) return;
    const letGo = () => {
      this.#idle.delete(worker);
      void worker.end();
    };
    this.#idle.set(worker, setTimeout(letGo, this.#options.idleMs ?? 60_000).unref());
  }
}
