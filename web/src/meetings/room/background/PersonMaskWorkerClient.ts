// oxlint-disable-next-line import/default -- the address is made by Vite
import workerAddress from './backgroundWorker.ts?worker&url';
import { startTrustedWorker } from '../../../device/startTrustedWorker.ts';
import type { PersonMask, MaskAnswer, MaskQuestion } from './masks.ts';

/** Timeout in milliseconds. Runtime and model are some megabytes. */
const loadMs = 30_000;
/** Timeout in milliseconds. The first picture warms the model up. */
const maskMs = 10_000;

/** The page's client of the worker that finds people. Handles one request at a time. */
export class PersonMaskWorkerClient {
  readonly #worker: Worker;
  #waiting: { answered: (answer: MaskAnswer) => void; failed: (error: Error) => void } | null = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<MaskAnswer>) => {
      if (data.kind === 'failed') this.#waiting?.failed(new Error(data.message));
      else this.#waiting?.answered(data);
    });
    worker.addEventListener('error', (event) => {
      this.#waiting?.failed(new Error(event.message || 'the worker could not be started'));
    });
  }

  /** Rejects if the worker, its runtime, or the model is unavailable. */
  static async open(): Promise<PersonMaskWorkerClient> {
    const maker = new PersonMaskWorkerClient(startTrustedWorker('background', workerAddress));
    try {
      await maker.#answer(loadMs);
      return maker;
    } catch (error) {
      maker.close();
      throw error;
    }
  }

  /** Returns the mask of the person in a picture, which is transferred. */
  async mask(question: MaskQuestion): Promise<PersonMask> {
    const answer = this.#answer(maskMs);
    this.#worker.postMessage(question, [question.picture]);
    const reply = await answer;
    if (reply.kind !== 'mask') throw new Error('the worker sent an unexpected answer');
    return reply.mask;
  }

  close(): void {
    this.#worker.terminate();
    this.#waiting?.failed(new Error('the worker was closed'));
  }

  async #answer(withinMs: number): Promise<MaskAnswer> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise<MaskAnswer>((answered, failed) => {
        this.#waiting = { answered, failed };
        timer = setTimeout(() => failed(new Error('the worker did not respond')), withinMs);
      });
    } finally {
      clearTimeout(timer);
      this.#waiting = null;
    }
  }
}
