import type { Answer, GatewayClient } from '@nolo/testing';
import type { ChaosHistory } from '../../support/ChaosHistory.ts';
import { pauseUnlessAborted, type ChaosTraffic } from './traffic.ts';

export interface RetryingRequestsOptions {
  name: string;
  token: string;
  /** Gateways; if one does not answer, the next is tried. */
  gatewayClients: readonly GatewayClient[];
  /** Index of the first gateway to use. */
  gatewayIndex: number;
  history: ChaosHistory;
  random: () => number;
  /** Ends every wait at once. */
  signal: AbortSignal;
  traffic: ChaosTraffic;
}

const retryDelaysMs = [50, 100, 200, 400, 800];
/** Number of failures after which waits stop growing. */
export const maxBackoffFailures = retryDelaysMs.length;

/** Repeats the HTTP requests of one client until they are answered. */
export class RetryingRequests {
  /** Index of the gateway that answered last. */
  gatewayIndex: number;
  readonly #options: RetryingRequestsOptions;

  constructor(options: RetryingRequestsOptions) {
    this.#options = options;
    this.gatewayIndex = options.gatewayIndex % options.gatewayClients.length;
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
    const first = this.gatewayIndex;
    for (let failures = 0; ; failures += 1) {
      onTry();
      const gatewayIndex = (first + failures) % this.#options.gatewayClients.length;
      const reply = await this.request(gatewayIndex, method, path, body);
      if (reply && reply.status >= 200 && reply.status < 300) {
        // The next request starts at the gateway that answered.
        this.gatewayIndex = gatewayIndex;
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

  async request(gatewayIndex: number, method: string, path: string, body?: unknown): Promise<Answer | undefined> {
    const { gatewayClients, token, history, traffic } = this.#options;
    const reply = await gatewayClients[gatewayIndex % gatewayClients.length]
      ?.send(token, method, path, body)
      .catch(() => undefined);
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
    const ms = (retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)] ?? 0) * (0.5 + random());
    return pauseUnlessAborted(ms, signal);
  }
}
