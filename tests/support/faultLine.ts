import { connect, createServer, type Server, type Socket } from 'node:net';

/** Which way nothing passes: a half-open line lets requests through and keeps their answers, or the other way round. */
export type Direction = 'both' | 'requests' | 'answers';

export interface Slowness {
  latencyMs: number;
  bytesPerSecond: number;
}

interface LineState {
  refusing: boolean;
  frozen: Direction | undefined;
  slowness: Slowness | undefined;
}

/** Bytes that a slow line holds before it takes no more. */
const mostHeld = 256 * 1024;

/** One direction of one connection. */
class Pipe {
  readonly #from: Socket;
  readonly #into: Socket;
  readonly #slowness: () => Slowness | undefined;
  /** What is on its way, and when it arrives; null is the end of it. */
  readonly #held: { chunk: Buffer | null; due: number }[] = [];
  #heldBytes = 0;
  #freeAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #frozen = false;

  constructor(from: Socket, into: Socket, slowness: () => Slowness | undefined) {
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

  /** Everything that was sent meanwhile arrives, as after a break that TCP outlives. */
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
    // What came later does not arrive earlier, whatever the line is like by now.
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
    if (this.#frozen || this.#heldBytes > mostHeld || this.#into.writableNeedDrain) this.#from.pause();
    else this.#from.resume();
  }
}

class Connection {
  readonly #sockets: readonly [Socket, Socket];
  readonly #requests: Pipe;
  readonly #answers: Pipe;
  #frozen: Direction | undefined;
  #lost = false;
  readonly #onEnd: () => void;

  constructor(inward: Socket, outward: Socket, slowness: () => Slowness | undefined, onEnd: () => void) {
    this.#sockets = [inward, outward];
    this.#requests = new Pipe(inward, outward, slowness);
    this.#answers = new Pipe(outward, inward, slowness);
    this.#onEnd = onEnd;
    for (const socket of this.#sockets) {
      socket.setNoDelay(true);
      // Without a listener the first broken connection would end the process; it closes next.
      socket.on('error', () => undefined);
      socket.on('close', (broken) => this.#closed(socket, broken));
    }
  }

  #closed(socket: Socket, broken: boolean): void {
    // Nobody on the other side of a dead line learns that its peer is gone.
    if (this.#frozen) this.#lost = true;
    else if (broken) this.reset();
    else if (this.#sockets.every(({ destroyed }) => destroyed)) this.#end();
    // One that ended in good order was told so by the pipe, behind the last of what it said.
    else if (!socket.readableEnded) this.reset();
  }

  #end(): void {
    this.#requests.close();
    this.#answers.close();
    this.#onEnd();
  }

  freeze(direction: Direction): void {
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

  /** Both sides are told that it broke. */
  reset(): void {
    this.#frozen = undefined;
    for (const socket of this.#sockets) if (!socket.destroyed) socket.resetAndDestroy();
    this.#end();
  }
}

/**
 * A line between clients and a server that breaks as lines do: connections that are reset, nobody who takes new ones, a
 * line that stays open and lets nothing through, and one that is slow.
 */
export class FaultLine {
  /** The address of the target with the line's own port. */
  readonly url: string;
  readonly #server: Server;
  readonly #connections: Set<Connection>;
  readonly #state: LineState;

  private constructor(url: string, server: Server, connections: Set<Connection>, state: LineState) {
    this.url = url;
    this.#server = server;
    this.#connections = connections;
    this.#state = state;
  }

  static async open(target: string): Promise<FaultLine> {
    const to = new URL(target);
    const place = { host: to.hostname === 'localhost' ? '127.0.0.1' : to.hostname, port: Number(to.port) };
    const connections = new Set<Connection>();
    const state: LineState = { refusing: false, frozen: undefined, slowness: undefined };
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
    return new FaultLine(url.href.replace(/(?<=:\d+)\/$/, ''), server, connections, state);
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** Resets a share of the connections, the oldest; new ones are taken. */
  reset(share = 1): void {
    const chosen = [...this.#connections].slice(0, Math.ceil(this.#connections.size * share));
    for (const connection of chosen) connection.reset();
  }

  /** Resets all connections, and each new one. */
  cut(): void {
    this.#state.refusing = true;
    this.reset();
  }

  /** Connections stay open, new ones are taken, and nothing passes. */
  freeze(direction: Direction = 'both'): void {
    this.#state.frozen = direction;
    for (const connection of this.#connections) connection.freeze(direction);
  }

  slow(slowness: Slowness): void {
    this.#state.slowness = slowness;
  }

  /** All is well again. What a frozen line holds arrives late. */
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
