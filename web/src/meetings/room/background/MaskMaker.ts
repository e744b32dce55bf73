// oxlint-disable-next-line import/default -- the address is made by Vite
import workerAddress from './backgroundWorker.ts?worker&url';
import type { Mask, MaskAnswer, MaskQuestion } from './masks.ts';

interface ScriptAddressPolicy {
  createScriptURL: (address: string) => unknown;
}
interface PolicyFactory {
  createPolicy: (name: string, rules: { createScriptURL: (address: string) => string }) => ScriptAddressPolicy;
}

/** Runtime and model are some megabytes. */
const loadMs = 30_000;
/** The first picture warms the model up. */
const maskMs = 10_000;

let policy: ScriptAddressPolicy | undefined;

/** The one address that this part of the app may run as a worker. The policy's name stands in the gateway's CSP. */
function trustedAddress(): string {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  if (factory === undefined) return workerAddress;
  policy ??= factory.createPolicy('nolo-background', {
    createScriptURL(asked) {
      if (asked !== workerAddress) throw new TypeError('Only the worker of blurred backgrounds may be run.');
      return asked;
    },
  });
  // The types of Worker know only strings; at run time it wants the trusted object itself.
  return policy.createScriptURL(workerAddress) as string;
}

/** The worker that finds people, as the page talks to it: one question at a time. */
export class MaskMaker {
  readonly #worker: Worker;
  #waiting: { answered: (answer: MaskAnswer) => void; failed: (error: Error) => void } | null = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<MaskAnswer>) => {
      if (data.kind === 'failed') this.#waiting?.failed(new Error(data.message));
      else this.#waiting?.answered(data);
    });
    worker.addEventListener('error', (event) => {
      this.#waiting?.failed(new Error(event.message || 'the worker could not be run'));
    });
  }

  /** Rejects where the worker, its runtime or the model cannot be had. */
  static async open(): Promise<MaskMaker> {
    const maker = new MaskMaker(new Worker(trustedAddress(), { type: 'module', name: 'background' }));
    try {
      await maker.#answer(loadMs);
      return maker;
    } catch (error) {
      maker.close();
      throw error;
    }
  }

  /** Where the person is in a picture, which is handed over. */
  async mask(question: MaskQuestion): Promise<Mask> {
    const answer = this.#answer(maskMs);
    this.#worker.postMessage(question, [question.picture]);
    const reply = await answer;
    if (reply.kind !== 'mask') throw new Error('the worker answered something else');
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
        timer = setTimeout(() => failed(new Error('the worker did not answer')), withinMs);
      });
    } finally {
      clearTimeout(timer);
      this.#waiting = null;
    }
  }
}
