import type { Answer, Door } from '@nolo/testing';
import type { History } from '../../support/history.ts';
import { pause, type Traffic } from './traffic.ts';

export interface RequestsOptions {
  name: string;
  token: string;
  /** The gateways; what one does not answer is asked of the next. */
  doors: readonly Door[];
  /** The one to begin with. */
  door: number;
  history: History;
  random: () => number;
  /** Ends every wait at once. */
  signal: AbortSignal;
  traffic: Traffic;
}

const againMs = [50, 100, 200, 400, 800];
/** From so many on waits grow no longer. */
export const mostFailures = againMs.length;

/** What one client asks over plain HTTP, until it is answered. */
export class Requests {
  /** The gateway that answered last, by its place. */
  door: number;
  readonly #options: RequestsOptions;

  constructor(options: RequestsOptions) {
    this.#options = options;
    this.door = options.door % options.doors.length;
  }

  /**
   * Asks until it is done. `onUnknown` is told of each try after which nobody knows whether it happened. Undefined where
   * the answer is `refusal`, which is one as well.
   */
  async insist(
    method: string,
    path: string,
    body?: unknown,
    onTry: () => unknown = () => {},
    onUnknown: () => unknown = () => {},
    refusal?: number,
  ): Promise<unknown> {
    const first = this.door;
    for (let failures = 0; ; failures += 1) {
      onTry();
      const door = (first + failures) % this.#options.doors.length;
      const reply = await this.ask(door, method, path, body);
      if (reply && reply.status >= 200 && reply.status < 300) {
        // The next begins where this was answered.
        this.door = door;
        return reply.body;
      }
      const { status = 0 } = reply ?? {};
      if (status === refusal) return undefined;
      if (status >= 400 && status < 500 && status !== 429) {
        throw new Error(`${method} ${path} was answered with ${status} ${JSON.stringify(reply?.body)}`);
      }
      if (status !== 429) onUnknown();
      await this.pauseAfter(failures);
    }
  }

  async ask(door: number, method: string, path: string, body?: unknown): Promise<Answer | undefined> {
    const { doors, token, history, traffic } = this.#options;
    const reply = await doors[door % doors.length]?.ask(token, method, path, body).catch(() => undefined);
    const status = reply?.status ?? 0;
    if (status < 200 || status > 299) traffic.refusals[status] = (traffic.refusals[status] ?? 0) + 1;
    // An outage is answered as one. 500 would mean that somebody did not expect it.
    if (status === 500 || status === 401) {
      history.violation(
        `${this.#options.name}: ${method} ${path} was answered with ${status} ${JSON.stringify(reply?.body)}`,
      );
    }
    return reply;
  }

  /** Half of it is chance, so that those who failed together do not come back together. */
  pauseAfter(failures: number): Promise<void> {
    const { random, signal } = this.#options;
    const ms = (againMs[Math.min(failures, againMs.length - 1)] ?? 0) * (0.5 + random());
    return pause(ms, signal);
  }
}
