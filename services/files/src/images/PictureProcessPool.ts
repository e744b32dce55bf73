import { isAppError } from '@nolo/kit/errors';
import { FairQueue } from '@nolo/kit/fairQueue';
import type { UserId } from '@nolo/kit/ids';
import type { EncodedPicture, PictureMaker, PictureSource } from '../domain/ports.ts';
import type { PictureShape } from '../domain/purposes.ts';
import type { CleanedPicture, PictureCleaner, Thumbnail } from '../domain/sharedPorts.ts';
import { imageTooLarge, pictureChanged, picturesBusy } from '../errors.ts';
import type { PictureResults, PictureJobTask } from '../worker/messages.ts';
import { PictureProcess, type PictureProcessLimits, type WorkTimeLimits } from './PictureProcess.ts';

/** Reason for a refusal before decoding. */
type PictureRefusalReason = 'too_large' | 'busy' | 'spent';

export interface PictureProcessPoolOptions extends PictureProcessLimits {
  /** Number of pictures processed in parallel, each in its own process. */
  readonly atOnce?: number;
  /** Time that an idle process is kept. */
  readonly idleMs?: number;
  /** Maximum time until processing of a picture starts. */
  readonly beforeMs?: number;
  /**
   * Charges an account for a picture, in megapixels.
   *
   * @throws AppError picture_limit
   */
  readonly spend: (account: UserId, cost: number) => Promise<void>;
  readonly onRefused: (reason: PictureRefusalReason, cost: number) => void;
}

/** Twice the number of uploads that a browser runs at once for one account. */
const maxWaitingPerKey = 12;
/** Maximum waiting pictures, which use no memory. */
const maxWaiting = 128;
const maxWaitMs = 30_000;
/**
 * Maximum wait in milliseconds. The gateway waits for two minutes, and processing takes up to 60 s. Before that, a
 * picture waits to be measured, is measured, and waits for processing; the rest is for reading and writing it.
 */
const maxQueueAndMeasureMs = 45_000;

/** Limit in megapixels: a phone photograph or a screen. Larger pictures may use all processes except one. */
const lightCost = 24;
/** Limit in bytes for measuring: headers are small, but animations are read to their end. */
const lightBytes = 8 * 2 ** 20;
const measuredAtOnce = 2;

/** Returns about five times the CPU time that pictures of that cost need; only crafted ones need more. */
const cpuMsFor = (cost: number) => 5_000 + 400 * cost;
const measuringTime = { cpuMs: 3_000, wallMs: 30_000 };
/** CPU time per megapixel above that of ordinary pictures; the account is charged for any excess. */
const cpuMsPerMegapixel = 100;

/**
 * Processes pictures in separate processes, which start with the first picture and end when idle. The cost of each is
 * read from its header beforehand and determines its wait.
 */
export class PictureProcessPool implements PictureMaker, PictureCleaner {
  readonly #options: PictureProcessPoolOptions;
  readonly #measuring: FairQueue;
  readonly #making: FairQueue;
  readonly #idle = new Map<PictureProcess, NodeJS.Timeout>();
  readonly #busy = new Set<PictureProcess>();
  #stopped = false;

  constructor(options: PictureProcessPoolOptions) {
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

  /** Number of pictures waiting to be measured or processed. */
  get waiting(): number {
    return this.#measuring.waiting + this.#making.waiting;
  }

  /** Megapixels waiting to be processed. */
  get waitingCost(): number {
    return this.#making.waitingCost;
  }

  make(account: UserId, source: PictureSource, shape: PictureShape): Promise<EncodedPicture> {
    return this.#inTurn(account, source, undefined, (bytes, charged) => ({ kind: 'make', bytes, charged, shape }));
  }

  clean(account: UserId, source: PictureSource, type: string, given: readonly Thumbnail[]): Promise<CleanedPicture> {
    return this.#inTurn(account, source, type, (bytes, charged) => ({ kind: 'clean', bytes, charged, type, given }));
  }

  /** Stops; idempotent. Pictures in progress fail as retryable. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#idle.values()) clearTimeout(timer);
    await Promise.all([...this.#idle.keys(), ...this.#busy].map((worker) => worker.end()));
    this.#idle.clear();
  }

  async #inTurn<W extends PictureJobTask>(
    account: UserId,
    source: PictureSource,
    type: string | undefined,
    workOn: (bytes: Uint8Array, charged: number) => W,
  ): Promise<PictureResults[W['kind']]> {
    const late = AbortSignal.timeout(this.#options.beforeMs ?? maxQueueAndMeasureMs);
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
      // The wait was too long, or the caller is gone: the picture may be retried.
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

  async #work<W extends PictureJobTask>(work: W, time: WorkTimeLimits): Promise<PictureResults[W['kind']]> {
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
