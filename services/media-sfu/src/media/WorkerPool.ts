import type { Clock } from '@nolo/kit/clock';
import type { Log } from '@nolo/kit/log';
import { MediaWorker, type WorkerOptions } from './MediaWorker.ts';

export interface PoolOptions extends WorkerOptions {
  count: number;
  clock: Clock;
}

/** A worker that lived this long did not die of how it was started. */
const settledMs = 10_000;
const firstDelayMs = 250;
const maxDelayMs = 5000;

/** The workers of this node. A dead one is replaced under the same port; its rooms learn of it from their routers. */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #log: Log;
  readonly #workers = new Map<number, MediaWorker>();
  readonly #timers = new Map<number, NodeJS.Timeout>();
  #restarts = 0;
  #stopping: Promise<void> | undefined;

  private constructor(options: PoolOptions) {
    this.#options = options;
    this.#log = options.log;
  }

  /** Fails where one of the workers cannot be started: then nothing about the configuration can be right. */
  static async start(options: PoolOptions): Promise<WorkerPool> {
    const pool = new WorkerPool(options);
    try {
      await Promise.all(Array.from({ length: options.count }, (_, index) => pool.#start(index, 0)));
    } catch (error) {
      await pool.stop();
      throw error;
    }
    return pool;
  }

  /** Those that are up. */
  get workers(): MediaWorker[] {
    return [...this.#workers.values()];
  }

  /** How many had to be replaced. */
  get restarts(): number {
    return this.#restarts;
  }

  /** The busiest one's share of a core. */
  get load(): number {
    return Math.max(0, ...this.workers.map(({ load }) => load));
  }

  async measure(): Promise<void> {
    const now = this.#options.clock.now().getTime();
    // One that dies while it is asked is replaced, and says nothing about the others.
    await Promise.allSettled(this.workers.map((worker) => worker.measure(now)));
  }

  /** Ends the workers and with them everything in them. Idempotent. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<void> {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.workers.map((worker) => worker.stop()));
    this.#workers.clear();
  }

  async #start(index: number, failures: number): Promise<void> {
    const worker = await MediaWorker.start(index, this.#options);
    if (this.#stopping) {
      await worker.stop();
      return;
    }
    this.#workers.set(index, worker);
    const startedAt = this.#options.clock.now().getTime();
    worker.worker.once('died', (error) => {
      this.#workers.delete(index);
      this.#restarts += 1;
      this.#log.error({ err: error, worker: index }, 'a media worker died');
      const settled = this.#options.clock.now().getTime() - startedAt >= settledMs;
      this.#restart(index, settled ? 0 : failures);
    });
  }

  /** At once the first time; a worker that dies again and again is given time. */
  #restart(index: number, failures: number): void {
    if (this.#stopping) return;
    const delay = failures === 0 ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** (failures - 1));
    const restart = async () => {
      try {
        await this.#start(index, failures + 1);
        this.#log.info({ worker: index }, 'a media worker was replaced');
      } catch (error) {
        this.#log.error({ err: error, worker: index }, 'a media worker could not be replaced');
        this.#restart(index, failures + 1);
      }
    };
    this.#timers.set(
      index,
      setTimeout(() => void restart(), delay),
    );
  }
}
