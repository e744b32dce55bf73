import type { Bus } from '@nolo/kit/bus';
import type { Secret } from '@nolo/kit/config';
import type { NodeId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import { createClient, type RpcClient } from '@nolo/kit/rpc';
import { MediaServiceService } from '@nolo/proto/media';
import { z } from 'zod';
import type { RoomNode } from '../domain/ports.ts';

export type MediaClient = RpcClient<typeof MediaServiceService>;

/** Told by every SFU node, twice a second unless configured otherwise. */
const heartbeatSubject = 'sfu.heartbeat';
/** How often in the time of silence is looked for silent ones. */
const looksPerSilence = 3;
/** Signs of life that a node which nobody is in may miss: it is heard more seldom than others. */
const mostMissed = 3;

const heartbeat = z.object({
  nodeId: z
    .string()
    .min(1)
    .max(100)
    .transform((id) => id as NodeId),
  rpcAddress: z.string().min(1).max(300),
  rtpCapabilitiesJson: z.string(),
  rooms: z.number(),
  peers: z.number(),
  consumers: z.number(),
  load: z.number(),
  draining: z.boolean(),
  /** When it is heard next. */
  paceMs: z.number().min(0).max(60_000),
});
export type MediaNode = z.output<typeof heartbeat>;

/**
 * Which SFU nodes there are, by what they say of themselves. Nobody keeps a list of them: a node that starts is known
 * half a second later. One that dies is known of when its connection breaks, which takes milliseconds as long as its
 * machine lives, and at the latest by its silence.
 */
export class MediaNodes {
  readonly #nodes = new Map<NodeId, { node: MediaNode; silentForMs: number }>();
  readonly #clients = new Map<string, MediaClient>();
  readonly #secret: Secret | string;
  readonly #log: Log;
  readonly #unsubscribe: () => void;
  #look: { timer: NodeJS.Timeout; everyMs: number } | undefined;
  readonly #startedAt = performance.now();
  readonly #silentMs: number;
  readonly #isConnected: () => boolean;
  readonly #onGone: (nodeId: NodeId) => Promise<void>;
  readonly #onDraining: (nodeId: NodeId) => void;

  constructor(options: {
    bus: Bus;
    secret: Secret | string;
    log: Log;
    /** A node that was silent for so long is dead. */
    silentMs: number;
    /** A node died: its rooms have to go elsewhere. */
    onGone: (nodeId: NodeId) => Promise<void>;
    /** A node wants to go, and another is there: its rooms have to go elsewhere, without haste. */
    onDraining: (nodeId: NodeId) => void;
  }) {
    this.#secret = options.secret;
    this.#log = options.log;
    this.#silentMs = options.silentMs;
    this.#onGone = options.onGone;
    this.#onDraining = options.onDraining;
    this.#unsubscribe = options.bus.subscribe(heartbeatSubject, (data) => this.#hear(data));
    // A bus that was away told nothing of anybody; the nodes get their time anew.
    options.bus.onReconnect(() => {
      for (const known of this.#nodes.values()) known.silentForMs = 0;
    });
    this.#isConnected = () => options.bus.status().connected;
  }

  /** Nodes that may take new people, least busy first: those that stay, and where there is none, those that want to go. */
  available(): MediaNode[] {
    const all = [...this.#nodes.values()].map(({ node }) => node);
    const staying = all.filter(({ draining }) => !draining);
    return (staying.length > 0 ? staying : all).sort(
      (a, b) => a.load - b.load || a.consumers - b.consumers || a.peers - b.peers,
    );
  }

  count(): number {
    return this.#nodes.size;
  }

  isAlive(nodeId: NodeId): boolean {
    return this.#nodes.has(nodeId);
  }

  /** Where a node that lives is spoken to. */
  find(nodeId: NodeId): RoomNode | undefined {
    const known = this.#nodes.get(nodeId);
    return known && { nodeId, address: known.node.rpcAddress };
  }

  client(node: RoomNode): MediaClient {
    const known = this.#clients.get(node.address);
    if (known) return known;
    const client = createClient(MediaServiceService, node.address, {
      secret: this.#secret,
      // One that is only spoken to for the last time is not missed.
      ...(this.#nodes.has(node.nodeId) ? { onLost: () => void this.suspect(node.nodeId) } : {}),
    });
    this.#clients.set(node.address, client);
    return client;
  }

  /** A call found nobody there, or the connection broke: sooner known than by silence. */
  async suspect(nodeId: NodeId): Promise<void> {
    const known = this.#nodes.get(nodeId);
    if (!known) return;
    this.#drop(known.node);
    await this.#tell(nodeId);
  }

  /** Whether a node is dead, as opposed to not heard of yet: who has just begun to listen cannot say. */
  isGone(nodeId: NodeId): boolean {
    return !this.#nodes.has(nodeId) && performance.now() - this.#startedAt > this.#silentMs;
  }

  stop(): void {
    clearInterval(this.#look?.timer);
    this.#look = undefined;
    this.#unsubscribe();
    for (const client of this.#clients.values()) client.close();
  }

  #hear(data: unknown): void {
    const read = heartbeat.safeParse(data);
    if (!read.success) {
      this.#log.warn('a heartbeat of a media node could not be understood');
      return;
    }
    const node = read.data;
    const known = this.#nodes.get(node.nodeId);
    this.#nodes.set(node.nodeId, { node, silentForMs: 0 });
    this.#arm();
    if (!known) {
      this.#log.info({ nodeId: node.nodeId, address: node.rpcAddress }, 'a media node is there');
      // Connected before it is needed, so that it is missed as soon as it is gone, whoever it carries.
      this.client({ nodeId: node.nodeId, address: node.rpcAddress });
    }
    // Where there is no other, its rooms stay until there is one.
    if (node.draining && this.available().some(({ draining }) => !draining)) this.#onDraining(node.nodeId);
  }

  /**
   * Silence is counted in looks and not by the clock: a process that was kept from running for seconds, as while everything
   * on its machine starts, looks before it hears what was said in the meantime, and would take living nodes for dead.
   */
  #forgetSilent(sinceMs: number): void {
    for (const [nodeId, known] of this.#nodes) {
      known.silentForMs += sinceMs;
      if (known.silentForMs <= this.#timeoutOf(known.node) + 1) continue;
      this.#drop(known.node);
      void this.#tell(nodeId);
    }
    this.#arm();
  }

  #timeoutOf({ paceMs }: MediaNode): number {
    return Math.max(this.#silentMs, mostMissed * paceMs);
  }

  /** Looks as often as those want it who are heard most often, and not at all where there is none. */
  #arm(): void {
    const timeouts = [...this.#nodes.values()].map(({ node }) => this.#timeoutOf(node));
    const everyMs = timeouts.length === 0 ? undefined : Math.min(...timeouts) / looksPerSilence;
    if (this.#look?.everyMs === everyMs) return;
    clearInterval(this.#look?.timer);
    if (everyMs === undefined) this.#look = undefined;
    else {
      const look = () => {
        if (this.#isConnected()) this.#forgetSilent(everyMs);
      };
      this.#look = { timer: setInterval(look, everyMs).unref(), everyMs };
    }
  }

  #drop({ nodeId, rpcAddress }: MediaNode): void {
    this.#nodes.delete(nodeId);
    this.#clients.get(rpcAddress)?.close();
    this.#clients.delete(rpcAddress);
  }

  async #tell(nodeId: NodeId): Promise<void> {
    this.#log.warn({ nodeId }, 'a media node is gone');
    await this.#onGone(nodeId);
  }
}
