import type { Clock } from '@nolo/kit/clock';
import type { NodeId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import type { NodeClient } from './NodeLink.ts';
import type { Rooms } from './Rooms.ts';

export interface NeighboursOptions {
  rooms: Rooms;
  clock: Clock;
  log: Log;
  /** Silence after which a node is asked whether it is alive. */
  silentMs: number;
  connect(address: string): NodeClient;
}

const answerWithinMs = 1000;

/** Heartbeat of another node. */
export interface Heard {
  nodeId: NodeId;
  rpcAddress: string;
  draining: boolean;
  /** Time until its next heartbeat. */
  paceMs?: number;
}

/** Tracks the other nodes to which rooms of this node are piped: how to reach them, and whether they are alive. */
export class Neighbours {
  readonly #options: NeighboursOptions;
  readonly #clients = new Map<string, NodeClient>();
  readonly #heard = new Map<string, { nodeId: NodeId; at: number; draining: boolean; paceMs: number }>();
  readonly #asking = new Set<string>();

  constructor(options: NeighboursOptions) {
    this.#options = options;
  }

  clientOf(address: string): NodeClient {
    let client = this.#clients.get(address);
    if (!client) this.#clients.set(address, (client = this.#options.connect(address)));
    return client;
  }

  /** Handles a heartbeat. A different node at a known address means that the previous one is dead. */
  hear({ nodeId, rpcAddress: address, draining, paceMs = 0 }: Heard): void {
    const before = this.#heard.get(address);
    this.#heard.set(address, { nodeId, at: this.#now(), draining, paceMs });
    if (before && before.nodeId !== nodeId) for (const room of this.#options.rooms) room.links.dropNode(before.nodeId);
  }

  /** True if another node is available and not draining. */
  get hasStaying(): boolean {
    const now = this.#now();
    const { silentMs } = this.#options;
    return [...this.#heard.values()].some(
      ({ at, draining, paceMs }) => !draining && now - at <= Math.max(silentMs, 2 * paceMs),
    );
  }

  /** Closes pipes to dead nodes and recreates failed ones. Call it periodically. */
  async check(): Promise<void> {
    await Promise.all([...this.#used()].map((address) => this.#checkOne(address)));
    for (const room of this.#options.rooms) room.links.retry();
    this.#forgetUnused();
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }

  /** Asks a silent node before treating it as dead, because the bus may be at fault. */
  async #checkOne(address: string): Promise<void> {
    const heard = this.#heard.get(address);
    if ((heard && this.#now() - heard.at < this.#options.silentMs) || this.#asking.has(address)) return;
    this.#asking.add(address);
    try {
      const { nodeId, draining } = await this.clientOf(address).getNode({}, { timeoutMs: answerWithinMs });
      this.hear({ nodeId: nodeId as NodeId, rpcAddress: address, draining });
    } catch (error) {
      this.#options.log.warn({ err: error, address }, 'another media node is considered dead');
      for (const room of this.#options.rooms) room.links.drop(address);
      this.#heard.delete(address);
    } finally {
      this.#asking.delete(address);
    }
  }

  #forgetUnused(): void {
    const used = this.#used();
    for (const [address, client] of this.#clients) {
      if (used.has(address)) continue;
      client.close();
      this.#clients.delete(address);
    }
    const now = this.#now();
    for (const [address, { at }] of this.#heard) if (now - at > 60_000) this.#heard.delete(address);
  }

  /** Addresses with existing or requested pipes. */
  #used(): Set<string> {
    const used = new Set<string>();
    for (const room of this.#options.rooms) for (const address of room.links.known) used.add(address);
    return used;
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }
}
