import type { Clock } from '@nolo/kit/clock';
import type { MediaNodeId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import type { NodeClient } from './NodeLink.ts';
import type { Rooms } from './Rooms.ts';

export interface NeighbourNodesOptions {
  rooms: Rooms;
  clock: Clock;
  log: Log;
  /** Silence after which a node is asked whether it is alive. */
  silentMs: number;
  connect(address: string): NodeClient;
}

const answerWithinMs = 1000;

/** Heartbeat of another node. */
export interface NodeHeartbeat {
  nodeId: MediaNodeId;
  rpcAddress: string;
  draining: boolean;
  /** Time until its next heartbeat. */
  paceMs?: number;
}

/** Tracks the other nodes to which rooms of this node are piped: how to reach them, and whether they are alive. */
export class NeighbourNodes {
  readonly #options: NeighbourNodesOptions;
  readonly #clients = new Map<string, NodeClient>();
  readonly #heartbeats = new Map<string, { nodeId: MediaNodeId; at: number; draining: boolean; paceMs: number }>();
  readonly #checking = new Set<string>();

  constructor(options: NeighbourNodesOptions) {
    this.#options = options;
  }

  clientOf(address: string): NodeClient {
    let client = this.#clients.get(address);
    if (!client) this.#clients.set(address, (client = this.#options.connect(address)));
    return client;
  }

  /** Handles a heartbeat. A different node at a known address means that the previous one is dead. */
  receiveHeartbeat({ nodeId, rpcAddress: address, draining, paceMs = 0 }: NodeHeartbeat): void {
    const before = this.#heartbeats.get(address);
    this.#heartbeats.set(address, { nodeId, at: this.#now(), draining, paceMs });
    if (before && before.nodeId !== nodeId) for (const room of this.#options.rooms) room.links.dropNode(before.nodeId);
  }

  /** True if another node is available and not draining. */
  get hasStaying(): boolean {
    const now = this.#now();
    const { silentMs } = this.#options;
    return [...this.#heartbeats.values()].some(
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
    const lastHeartbeat = this.#heartbeats.get(address);
    if ((lastHeartbeat && this.#now() - lastHeartbeat.at < this.#options.silentMs) || this.#checking.has(address))
      return;
    this.#checking.add(address);
    try {
      const { nodeId, draining } = await this.clientOf(address).getNode({}, { timeoutMs: answerWithinMs });
      this.receiveHeartbeat({ nodeId: nodeId as MediaNodeId, rpcAddress: address, draining });
    } catch (error) {
      this.#options.log.warn({ err: error, address }, 'another media node is considered dead');
      for (const room of this.#options.rooms) room.links.drop(address);
      this.#heartbeats.delete(address);
    } finally {
      this.#checking.delete(address);
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
    for (const [address, { at }] of this.#heartbeats) if (now - at > 60_000) this.#heartbeats.delete(address);
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
