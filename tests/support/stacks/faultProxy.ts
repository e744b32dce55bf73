import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * Direction in which nothing passes: a half-open connection lets requests through and holds their answers, or the
 * reverse.
 */
export type FaultDirection = 'both' | 'requests' | 'answers';

export interface ConnectionSlowness {
  latencyMs: number;
  bytesPerSecond: number;
}

interface ProxyState {
  refusing: boolean;
  frozen: FaultDirection | undefined;
  slowness: ConnectionSlowness | undefined;
}

/** Bytes that a slow connection holds before it accepts no more. */
const maxBufferedBytes = 256 * 1024;

/** Single direction of a single connection. */
class Pipe {
  readonly #from: Socket;
  readonly #into: Socket;
  readonly #slowness: () => ConnectionSlowness | undefined;
  /** Data in transit and when it arrives; null is its end. */
  readonly #held: { chunk: Buffer | null; due: number }[] = [];
  #heldBytes = 0;
  #freeAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #frozen = false;

  constructor(from: Socket, into: Socket, slowness: () => ConnectionSlowness | undefined) {
    this.#from = from;
    this.#into = into;
    this.#slowness = slowness;
    from.on('data', (chunk: Buffer) => this.#take(chunk));
    from.on('end', () => this.#take(null));
    into.on('drain', () => this.#flow());
  }

  freeze(): void {
    this.#frozen = true;
    this.#flow();
  }

  /** Delivers everything sent meanwhile, as after an interruption that TCP survives. */
  thaw(): void {
    this.#frozen = false;
    this.#release();
    this.#flow();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #take(chunk: Buffer | null): void {
    const slow = this.#slowness();
    if (!slow && !this.#frozen && this.#held.length === 0) return this.#pass(chunk);
    const now = performance.now();
    const bytes = chunk?.length ?? 0;
    this.#freeAt = Math.max(this.#freeAt, now) + (slow ? (bytes * 1000) / slow.bytesPerSecond : 0);
    // Later data never arrives earlier, even if the connection is faster by now.
    const due = Math.max(this.#freeAt + (slow?.latencyMs ?? 0), this.#held.at(-1)?.due ?? 0);
    this.#held.push({ chunk, due });
    this.#heldBytes += bytes;
    this.#flow();
    this.#release();
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (!this.#frozen) {
      const next = this.#held[0];
      if (!next) return this.#flow();
      const wait = next.due - performance.now();
      if (wait > 0.5) {
        this.#timer = setTimeout(() => this.#release(), wait);
        return;
      }
      this.#held.shift();
      this.#heldBytes -= next.chunk?.length ?? 0;
      this.#pass(next.chunk);
    }
  }

  #pass(chunk: Buffer | null): void {
    if (this.#into.destroyed) return;
    if (chunk === null) this.#into.end();
    else if (!this.#into.write(chunk)) this.#from.pause();
  }

  #flow(): void {
    if (this.#frozen || this.#heldBytes > maxBufferedBytes || this.#into.writableNeedDrain) this.#from.pause();
    else this.#from.resume();
  }
}

class Connection {
  readonly #sockets: readonly [Socket, Socket];
  readonly #requests: Pipe;
  readonly #answers: Pipe;
  #frozen: FaultDirection | undefined;
  #lost = false;
  readonly #onEnd: () => void;

  constructor(inward: Socket, outward: Socket, slowness: () => ConnectionSlowness | undefined, onEnd: () => void) {
    this.#sockets = [inward, outward];
    this.#requests = new Pipe(inward, outward, slowness);
    this.#answers = new Pipe(outward, inward, slowness);
    this.#onEnd = onEnd;
    for (const socket of this.#sockets) {
      socket.setNoDelay(true);
      // An error without a listener would end the process; the close event follows.
      socket.on('error', () => undefined);
      socket.on('close', (broken) => this.#closed(socket, broken));
    }
  }

  #closed(socket: Socket, broken: boolean): void {
    // The other side of a dead connection does not notice that its peer is gone.
    if (this.#frozen) this.#lost = true;
    else if (broken) this.reset();
    else if (this.#sockets.every(({ destroyed }) => destroyed)) this.#end();
    // A clean end has already been passed on by the pipe, after the last data.
    else if (!socket.readableEnded) this.reset();
  }

  #end(): void {
    this.#requests.close();
    this.#answers.close();
    this.#onEnd();
  }

  freeze(direction: FaultDirection): void {
    this.#frozen = direction;
    if (direction !== 'answers') this.#requests.freeze();
    if (direction !== 'requests') this.#answers.freeze();
  }

  thaw(): void {
    if (!this.#frozen) return;
    this.#frozen = undefined;
    if (this.#lost) return this.reset();
    this.#requests.thaw();
    this.#answers.thaw();
  }

  /** Resets both sides. */
  reset(): void {
    this.#frozen = undefined;
    for (const socket of this.#sockets) if (!socket.destroyed) socket.resetAndDestroy();
    this.#end();
  }
}

/**
 * Proxy between clients and a server that fails as networks do: resets connections, refuses new ones, stays open
 * without passing data, or is slow.
 */
export class FaultProxy {
  /** Address of the target with the proxy's own port. */
  readonly url: string;
  readonly #server: Server;
  readonly #connections: Set<Connection>;
  readonly #state: ProxyState;

  private constructor(url: string, server: Server, connections: Set<Connection>, state: ProxyState) {
    this.url = url;
    this.#server = server;
    this.#connections = connections;
    this.#state = state;
  }

  static async open(target: string): Promise<FaultProxy> {
    const to = new URL(target);
    const place = { host: to.hostname === 'localhost' ? '127.0.0.1' : to.hostname, port: Number(to.port) };
    const connections = new Set<Connection>();
    const state: ProxyState = { refusing: false, frozen: undefined, slowness: undefined };
    const server = createServer({ allowHalfOpen: true }, (inward) => {
      if (state.refusing) {
        inward.on('error', () => undefined);
        inward.resetAndDestroy();
        return;
      }
      const outward = connect({ ...place, allowHalfOpen: true });
      const connection = new Connection(
        inward,
        outward,
        () => state.slowness,
        () => connections.delete(connection),
      );
      connections.add(connection);
      if (state.frozen) connection.freeze(state.frozen);
    });
    const port = await new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
    const url = new URL(target);
    url.hostname = '127.0.0.1';
    url.port = String(port);
    return new FaultProxy(url.href.replace(/(?<=:\d+)\/$/, ''), server, connections, state);
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** Resets a share of the connections, oldest first; accepts new ones. */
  reset(share = 1): void {
    const chosen = [...this.#connections].slice(0, Math.ceil(this.#connections.size * share));
    for (const connection of chosen) connection.reset();
  }

  /** Resets all connections, and each new one. */
  cut(): void {
    this.#state.refusing = true;
    this.reset();
  }

  /** Keeps connections open and accepts new ones, but passes no data. */
  freeze(direction: FaultDirection = 'both'): void {
    this.#state.frozen = direction;
    for (const connection of this.#connections) connection.freeze(direction);
  }

  slow(slowness: ConnectionSlowness): void {
    this.#state.slowness = slowness;
  }

  /** Ends all faults. Data held by a frozen connection arrives late. */
  mend(): void {
    this.#state.refusing = false;
    this.#state.frozen = undefined;
    this.#state.slowness = undefined;
    for (const connection of this.#connections) connection.thaw();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
