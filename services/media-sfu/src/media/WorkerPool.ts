import type { Clock } from '@nolo/kit/clock';
import type { Log } from '@nolo/kit/log';
import { MediaWorker, type WorkerOptions } from './MediaWorker.ts';

export interface PoolOptions extends WorkerOptions {
  count: number;
  clock: Clock;
}

/** Lifetime after which a worker's death is not attributed to its startup. */
const settledMs = 10_000;
const firstDelayMs = 250;
const maxDelayMs = 5000;

/** Workers of this node. A dead one is replaced on the same port, and its rooms learn of it from their routers. */
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

  /** Starts the workers. Fails if any cannot start, because the configuration must then be wrong. */
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

  /** Running workers. */
  get workers(): MediaWorker[] {
    return [...this.#workers.values()];
  }

  /** Number of replaced workers. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Highest load of any worker, as a share of a core. */
  get load(): number {
    return Math.max(0, ...this.workers.map(({ load }) => load));
  }

  async measure(): Promise<void> {
    const now = this.#options.clock.now().getTime();
    // A worker that dies during the query is replaced, and does not affect the others.
    await Promise.allSettled(this.workers.map((worker) => worker.measure(now)));
  }

  /** Ends the workers and everything in them. Idempotent. */
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
      this.#log.error({ err: error, worker: index }, 'media worker died');
      const settled = this.#options.clock.now().getTime() - startedAt >= settledMs;
      this.#restart(index, settled ? 0 : failures);
    });
  }

  /** Restarts at once the first time, and with increasing delays if a worker keeps dying. */
  #restart(index: number, failures: number): void {
    if (this.#stopping) return;
    const delay = failures === 0 ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** (failures - 1));
    const restart = async () => {
      try {
        await this.#start(index, failures + 1);
        this.#log.info({ worker: index }, 'media worker replaced');
      } catch (error) {
        this.#log.error({ err: error, worker: index }, 'replacing a media worker failed');
        this.#restart(index, failures + 1);
      }
    };
    this.#timers.set(
      index,
      setTimeout(() => void restart(), delay),
    );
  }
}
