import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { openGatewaySocket, type GatewaySocketOptions } from './openGatewaySocket.ts';
import type { Json } from './json.ts';
import { waitTimeoutMs } from './waitTimeout.ts';

export interface TestFrame {
  type: string;
  id?: string;
  data: Record<string, Json>;
}

export type SocketOptions = Pick<GatewaySocketOptions, 'origin' | 'headers'>;

interface Waiting {
  matches: (frame: TestFrame) => boolean;
  resolve: (frame: TestFrame) => void;
}

/**
 * Socket that records every frame. next() takes frames one after the other, so a test reads like a dialog, and an early
 * frame is not missed.
 */
export class TestSocket {
  /** All received frames, in order. */
  readonly frames: TestFrame[] = [];
  /** Resolves when either side closes the socket. */
  readonly closed: Promise<{ code: number; reason: string }>;
  static readonly #all = new Set<TestSocket>();
  readonly #socket: WebSocket;
  readonly #unread: TestFrame[] = [];
  readonly #waiting = new Set<Waiting>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        TestSocket.#all.delete(this);
        resolve({ code, reason: reason.toString() });
      });
    });
    TestSocket.#all.add(this);
    socket.on('message', (raw: Buffer) => this.#receive(JSON.parse(raw.toString()) as TestFrame));
  }

  /** @throws Error with the HTTP status if the upgrade is refused. */
  static open(baseUrl: string, token: string | undefined, options: SocketOptions = {}): Promise<TestSocket> {
    return new Promise((resolve, reject) => {
      const onRefused = (status: number) => reject(new Error(`The upgrade was answered with ${status}.`));
      const socket = openGatewaySocket(baseUrl, token, { ...options, onRefused });
      const opened = new TestSocket(socket);
      socket.once('open', () => resolve(opened));
      socket.once('error', reject);
    });
  }

  #receive(frame: TestFrame): void {
    this.frames.push(frame);
    for (const waiting of this.#waiting) {
      if (!waiting.matches(frame)) continue;
      this.#waiting.delete(waiting);
      waiting.resolve(frame);
      return;
    }
    this.#unread.push(frame);
  }

  #take(matches: (frame: TestFrame) => boolean, what: string, timeoutMs: number): Promise<TestFrame> {
    const index = this.#unread.findIndex(matches);
    const [unread] = index < 0 ? [] : this.#unread.splice(index, 1);
    if (unread) return Promise.resolve(unread);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        matches,
        resolve: (frame) => {
          clearTimeout(timer);
          resolve(frame);
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        const seen = this.frames.map((frame) => frame.type).join(', ') || 'nothing';
        reject(new Error(`No ${what} arrived within ${timeoutMs} ms. Received: ${seen}.`));
      }, timeoutMs);
      this.#waiting.add(waiting);
    });
  }

  /** Returns the next frame of this type that no earlier call has taken. */
  next(
    type: string,
    predicate: (data: TestFrame['data']) => boolean = () => true,
    timeoutMs = waitTimeoutMs,
  ): Promise<TestFrame> {
    return this.#take((frame) => frame.type === type && predicate(frame.data), `"${type}"`, timeoutMs);
  }

  send(type: string, data: Record<string, unknown> = {}, id?: string): void {
    this.sendRaw(JSON.stringify(id === undefined ? { type, data } : { type, id, data }));
  }

  sendRaw(text: string): void {
    this.#socket.send(text);
  }

  /** Sends a request and waits for the ack or error with the same id. */
  request(type: string, data: Record<string, unknown> = {}, timeoutMs = waitTimeoutMs): Promise<TestFrame> {
    const id = randomUUID();
    const answer = this.#take((frame) => frame.id === id, `answer to "${type}"`, timeoutMs);
    this.send(type, data, id);
    return answer;
  }

  /** Sends a request until it is acknowledged, and retries when the error says so. @throws Error if it is refused */
  async insist(
    type: string,
    data: Record<string, unknown> = {},
    { timeoutMs = waitTimeoutMs, forMs = waitTimeoutMs } = {},
  ): Promise<TestFrame['data']> {
    const until = Date.now() + forMs;
    for (;;) {
      const answer = await this.request(type, data, timeoutMs);
      if (answer.type === 'ack') return answer.data;
      const waitMs = Number(answer.data['retryAfterMs'] ?? 0);
      if (waitMs === 0 || Date.now() + waitMs > until) {
        throw new Error(`"${type}" returned ${JSON.stringify(answer.data)}`);
      }
      await sleep(waitMs);
    }
  }

  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    this.#socket.close(1000);
    const timer = setTimeout(() => this.#socket.terminate(), 1000);
    await this.closed;
    clearTimeout(timer);
  }

  /** Drops the connection without closing it, like a network failure. */
  cut(): void {
    this.#socket.terminate();
  }

  /** Drops all open sockets, for tests whose server keeps running. */
  static cutAll(): void {
    for (const socket of TestSocket.#all) socket.cut();
  }
}
