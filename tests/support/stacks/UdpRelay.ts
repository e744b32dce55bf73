import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** Address that sends and receives UDP. */
export interface UdpEndpoint {
  address: string;
  port: number;
}

/** Conditions that apply to every packet. */
export interface NetworkConditions {
  /** Share of packets that never arrive, from 0 to 1. */
  loss: number;
  delayMs: number;
  /** Direction in which packets are lost: `out` is what browsers send. Unset: both. */
  lossy?: 'out' | 'in';
}

/** Traffic between one port of a client and the worker. */
interface Path {
  upstream: Socket;
  cut: boolean;
}

/**
 * Relays between browsers and a media worker, which announces the relay's address in place of its own. Its conditions
 * can be made bad, and the browsers' paths can be cut as when they leave a network: they must then use others.
 */
export class UdpRelay {
  readonly #socket: Socket;
  readonly #target: UdpEndpoint;
  readonly #paths = new Map<string, Path>();
  readonly #onTheirWay = new Set<NodeJS.Timeout>();
  #weather: NetworkConditions = { loss: 0, delayMs: 0 };
  #closed = false;
  /** Numbers of packets that arrived, and that did not. */
  passed = 0;
  lost = 0;

  private constructor(socket: Socket, target: UdpEndpoint) {
    this.#socket = socket;
    this.#target = target;
    socket.on('message', (packet, from) => this.#take(packet, from));
  }

  static async open(own: UdpEndpoint, target: UdpEndpoint): Promise<UdpRelay> {
    const socket = createSocket('udp4');
    // Unsendable packets are lost, as in any network.
    socket.bind(own.port, own.address);
    await once(socket, 'listening');
    socket.on('error', () => undefined);
    return new UdpRelay(socket, target);
  }

  setWeather(weather: NetworkConditions): void {
    this.#weather = weather;
  }

  /** Blocks all traffic with the client addresses seen so far. */
  cutPaths(): void {
    for (const path of this.#paths.values()) path.cut = true;
  }

  /** Number of paths that are not cut. */
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

  #take(packet: Buffer, from: UdpEndpoint): void {
    const { address, port } = from;
    const key = `${address}:${port}`;
    const path = this.#paths.get(key) ?? this.#openPath(key, { address, port });
    this.#carry(path, 'out', () => path.upstream.send(packet, this.#target.port, this.#target.address));
  }

  #openPath(key: string, { address, port }: UdpEndpoint): Path {
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
