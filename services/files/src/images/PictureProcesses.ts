import { Semaphore } from '@nolo/kit/semaphore';
import type { Picture, PictureMaker } from '../domain/ports.ts';
import type { PictureShape } from '../domain/purposes.ts';
import type { CleanPicture, PictureCleaner, Thumbnail } from '../domain/sharedPorts.ts';
import { picturesBusy } from '../errors.ts';
import type { Made, Work } from '../worker/messages.ts';
import { PictureProcess, type PictureLimits } from './PictureProcess.ts';

export interface PictureProcessesOptions extends PictureLimits {
  /** Pictures that are made at the same time, each in a process of its own. */
  readonly atOnce?: number;
  /** For how long a process that has nothing to do is kept. */
  readonly idleMs?: number;
}

/** As many as the uploads of one account that a browser has under way, twice. */
const mostWaitingPerKey = 12;
const mostWaiting = 64;

/** Makes pictures in processes of their own, which come with the first picture and go when there are none. */
export class PictureProcesses implements PictureMaker, PictureCleaner {
  readonly #options: PictureProcessesOptions;
  readonly #queue: Semaphore;
  readonly #idle = new Map<PictureProcess, NodeJS.Timeout>();
  readonly #busy = new Set<PictureProcess>();
  #stopped = false;

  constructor(options: PictureProcessesOptions) {
    this.#options = options;
    this.#queue = new Semaphore({ atOnce: options.atOnce ?? 2, mostWaitingPerKey, mostWaiting, busy: picturesBusy });
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  make(account: string, bytes: Uint8Array, shape: PictureShape): Promise<Picture> {
    return this.#queue.take(() => this.#work({ kind: 'make', bytes, shape }), { key: account });
  }

  clean(
    account: string,
    read: () => Promise<Uint8Array>,
    type: string,
    given: readonly Thumbnail[],
  ): Promise<CleanPicture> {
    return this.#queue.take(async () => this.#work({ kind: 'clean', bytes: await read(), type, given }), {
      key: account,
    });
  }

  /** Idempotent. What is being made is told that it may be tried again. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#idle.values()) clearTimeout(timer);
    await Promise.all([...this.#idle.keys(), ...this.#busy].map((worker) => worker.end()));
    this.#idle.clear();
  }

  async #work<W extends Work>(work: W): Promise<Made[W['kind']]> {
    if (this.#stopped) throw picturesBusy();
    const worker = this.#take();
    this.#busy.add(worker);
    try {
      return await worker.work(work);
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
