import type { Answer, Door } from '@nolo/testing';
import type { History } from '../../support/history.ts';
import { pause, type Traffic } from './traffic.ts';

export interface RequestsOptions {
  name: string;
  token: string;
  /** Gateways; if one does not answer, the next is tried. */
  doors: readonly Door[];
  /** Index of the first gateway to use. */
  door: number;
  history: History;
  random: () => number;
  /** Ends every wait at once. */
  signal: AbortSignal;
  traffic: Traffic;
}

const againMs = [50, 100, 200, 400, 800];
/** Number of failures after which waits stop growing. */
export const mostFailures = againMs.length;

/** Repeats the HTTP requests of one client until they are answered. */
export class Requests {
  /** Index of the gateway that answered last. */
  door: number;
  readonly #options: RequestsOptions;

  constructor(options: RequestsOptions) {
    this.#options = options;
    this.door = options.door % options.doors.length;
  }

  /**
   * Repeats a request until it succeeds. Calls `onUnknown` after each attempt with an unknown outcome. Returns
   * undefined if the answer is `refusal`, which is final too.
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
        // The next request starts at the gateway that answered.
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
    // Outages have their own status. 500 would mean an unexpected error.
    if (status === 500 || status === 401) {
      history.violation(
        `${this.#options.name}: ${method} ${path} was answered with ${status} ${JSON.stringify(reply?.body)}`,
      );
    }
    return reply;
  }

  /** Randomizes the pause, so that clients that failed together do not return together. */
  pauseAfter(failures: number): Promise<void> {
    const { random, signal } = this.#options;
    const ms = (againMs[Math.min(failures, againMs.length - 1)] ?? 0) * (0.5 + random());
    return pause(ms, signal);
  }
}
