import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** A place that takes and sends UDP. */
export interface UdpPlace {
  address: string;
  port: number;
}

/** What every packet meets. */
export interface Weather {
  /** The share of packets that never arrive, from 0 to 1. */
  loss: number;
  delayMs: number;
  /** Only what goes this way is lost: `out` is what browsers send. Both ways unless set. */
  lossy?: 'out' | 'in';
}

/** What one client sends from one of its ports, and what comes back to it. */
interface Path {
  upstream: Socket;
  cut: boolean;
}

/**
 * Stands between browsers and a media worker, which announces the relay's address in place of its own. Its weather can be
 * made bad, and the paths that browsers use can be cut as when they leave a network: they have to come by others.
 */
export class UdpRelay {
  readonly #socket: Socket;
  readonly #target: UdpPlace;
  readonly #paths = new Map<string, Path>();
  readonly #onTheirWay = new Set<NodeJS.Timeout>();
  #weather: Weather = { loss: 0, delayMs: 0 };
  #closed = false;
  /** Packets that arrived, and that did not. */
  passed = 0;
  lost = 0;

  private constructor(socket: Socket, target: UdpPlace) {
    this.#socket = socket;
    this.#target = target;
    socket.on('message', (packet, from) => this.#take(packet, from));
  }

  static async open(own: UdpPlace, target: UdpPlace): Promise<UdpRelay> {
    const socket = createSocket('udp4');
    // What cannot be sent is lost, as in any network.
    socket.bind(own.port, own.address);
    await once(socket, 'listening');
    socket.on('error', () => undefined);
    return new UdpRelay(socket, target);
  }

  setWeather(weather: Weather): void {
    this.#weather = weather;
  }

  /** Nothing passes any more from and to where anybody has sent from until now. */
  cutPaths(): void {
    for (const path of this.#paths.values()) path.cut = true;
  }

  /** How many paths carry something. */
  get openPaths(): number {
    return [...this.#paths.values()].filter(({ cut }) => !cut).length;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const timer of this.#onTheirWay) clearTimeout(timer);
    for (const { upstream } of this.#paths.values()) upstream.close();
    this.#socket.close();
  }

  #take(packet: Buffer, from: UdpPlace): void {
    const { address, port } = from;
    const key = `${address}:${port}`;
    const path = this.#paths.get(key) ?? this.#openPath(key, { address, port });
    this.#carry(path, 'out', () => path.upstream.send(packet, this.#target.port, this.#target.address));
  }

  #openPath(key: string, { address, port }: UdpPlace): Path {
    const path: Path = { upstream: createSocket('udp4'), cut: false };
    this.#paths.set(key, path);
    path.upstream.on('error', () => undefined);
    path.upstream.on('message', (packet) => this.#carry(path, 'in', () => this.#socket.send(packet, port, address)));
    return path;
  }

  #carry(path: Path, way: 'out' | 'in', send: () => void): void {
    const { loss, delayMs, lossy = way } = this.#weather;
    if (path.cut || (lossy === way && Math.random() < loss)) {
      this.lost += 1;
      return;
    }
    this.passed += 1;
    if (delayMs === 0) return send();
    const timer = setTimeout(() => {
      this.#onTheirWay.delete(timer);
      if (!path.cut) send();
    }, delayMs);
    this.#onTheirWay.add(timer);
  }
}
