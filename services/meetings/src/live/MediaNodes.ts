import type { Bus } from '@nolo/kit/bus';
import type { Secret } from '@nolo/kit/config';
import type { MediaNodeId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import { createClient, type RpcClient } from '@nolo/kit/rpc';
import { MediaServiceDefinition } from '@nolo/proto/media';
import { z } from 'zod';
import type { RoomNode } from '../domain/ports.ts';

export type MediaClient = RpcClient<typeof MediaServiceDefinition>;

/** Subject of SFU heartbeats, sent twice a second by default. */
const heartbeatSubject = 'sfu.heartbeat';
/** Number of checks within the silence timeout. */
const checksPerSilence = 3;
/** Heartbeats that a node may miss. Empty nodes send them less often. */
const maxMissedHeartbeats = 3;

const heartbeat = z.object({
  nodeId: z
    .string()
    .min(1)
    .max(100)
    .transform((id) => id as MediaNodeId),
  rpcAddress: z.string().min(1).max(300),
  rtpCapabilitiesJson: z.string(),
  rooms: z.number(),
  peers: z.number(),
  consumers: z.number(),
  load: z.number(),
  draining: z.boolean(),
  /** Time until the next heartbeat. */
  paceMs: z.number().min(0).max(60_000),
});
export type MediaNode = z.output<typeof heartbeat>;

/**
 * Tracks SFU nodes by their heartbeats. No list is stored: a new node is known half a second after it starts. A dead
 * one is detected when its connection breaks, within milliseconds while its machine lives, and at the latest by its
 * silence.
 */
export class MediaNodes {
  readonly #nodes = new Map<MediaNodeId, { node: MediaNode; silentForMs: number }>();
  readonly #clients = new Map<string, MediaClient>();
  readonly #secret: Secret | string;
  readonly #log: Log;
  readonly #unsubscribe: () => void;
  #silenceCheck: { timer: NodeJS.Timeout; everyMs: number } | undefined;
  readonly #startedAt = performance.now();
  readonly #silentMs: number;
  readonly #isConnected: () => boolean;
  readonly #onGone: (nodeId: MediaNodeId) => Promise<void>;
  readonly #onDraining: (nodeId: MediaNodeId) => void;

  constructor(options: {
    bus: Bus;
    secret: Secret | string;
    log: Log;
    /** Silence after which a node counts as dead. */
    silentMs: number;
    /** Called when a node died, so its rooms must move. */
    onGone: (nodeId: MediaNodeId) => Promise<void>;
    /** Called when a node is draining and another is available, so its rooms should move without haste. */
    onDraining: (nodeId: MediaNodeId) => void;
  }) {
    this.#secret = options.secret;
    this.#log = options.log;
    this.#silentMs = options.silentMs;
    this.#onGone = options.onGone;
    this.#onDraining = options.onDraining;
    this.#unsubscribe = options.bus.subscribe(heartbeatSubject, (data) => this.#receiveHeartbeat(data));
    // The bus delivered no heartbeats during its outage, so all nodes get their full time again.
    options.bus.onReconnect(() => {
      for (const known of this.#nodes.values()) known.silentForMs = 0;
    });
    this.#isConnected = () => options.bus.status().connected;
  }

  /** Returns nodes that may take new people, least busy first. Draining nodes count only if there is no other. */
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

  isAlive(nodeId: MediaNodeId): boolean {
    return this.#nodes.has(nodeId);
  }

  /** Returns the address of a live node. */
  find(nodeId: MediaNodeId): RoomNode | undefined {
    const known = this.#nodes.get(nodeId);
    return known && { nodeId, address: known.node.rpcAddress };
  }

  client(node: RoomNode): MediaClient {
    const known = this.#clients.get(node.address);
    if (known) return known;
    const client = createClient(MediaServiceDefinition, node.address, {
      secret: this.#secret,
      // The loss of a node that is contacted for the last time does not matter.
      ...(this.#nodes.has(node.nodeId) ? { onLost: () => void this.suspect(node.nodeId) } : {}),
    });
    this.#clients.set(node.address, client);
    return client;
  }

  /** Handles a failed call or broken connection, which reveals a death sooner than silence. */
  async suspect(nodeId: MediaNodeId): Promise<void> {
    const known = this.#nodes.get(nodeId);
    if (!known) return;
    this.#drop(known.node);
    await this.#reportGone(nodeId);
  }

  /**
   * Returns true if a node is dead rather than not known yet. A process that has just started listening cannot tell.
   */
  isGone(nodeId: MediaNodeId): boolean {
    return !this.#nodes.has(nodeId) && performance.now() - this.#startedAt > this.#silentMs;
  }

  stop(): void {
    clearInterval(this.#silenceCheck?.timer);
    this.#silenceCheck = undefined;
    this.#unsubscribe();
    for (const client of this.#clients.values()) client.close();
  }

  #receiveHeartbeat(data: unknown): void {
    const read = heartbeat.safeParse(data);
    if (!read.success) {
      this.#log.warn('heartbeat of a media node could not be parsed');
      return;
    }
    const node = read.data;
    const known = this.#nodes.get(node.nodeId);
    this.#nodes.set(node.nodeId, { node, silentForMs: 0 });
    this.#arm();
    if (!known) {
      this.#log.info({ nodeId: node.nodeId, address: node.rpcAddress }, 'media node is up');
      // Connects in advance, so its death is noticed at once.
      this.client({ nodeId: node.nodeId, address: node.rpcAddress });
    }
    // The rooms stay until another node is available.
    if (node.draining && this.available().some(({ draining }) => !draining)) this.#onDraining(node.nodeId);
  }

  /**
   * Adds up silence per check rather than by the clock. A process that was suspended for seconds, as when everything on
   * its machine starts, runs this check before it receives pending heartbeats and would treat live nodes as dead.
   */
  #forgetSilent(sinceMs: number): void {
    for (const [nodeId, known] of this.#nodes) {
      known.silentForMs += sinceMs;
      if (known.silentForMs <= this.#timeoutOf(known.node) + 1) continue;
      this.#drop(known.node);
      void this.#reportGone(nodeId);
    }
    this.#arm();
  }

  #timeoutOf({ paceMs }: MediaNode): number {
    return Math.max(this.#silentMs, maxMissedHeartbeats * paceMs);
  }

  /** Checks at the pace of the nodes with the shortest timeout, and stops without nodes. */
  #arm(): void {
    const timeouts = [...this.#nodes.values()].map(({ node }) => this.#timeoutOf(node));
    const everyMs = timeouts.length === 0 ? undefined : Math.min(...timeouts) / checksPerSilence;
    if (this.#silenceCheck?.everyMs === everyMs) return;
    clearInterval(this.#silenceCheck?.timer);
    if (everyMs === undefined) this.#silenceCheck = undefined;
    else {
      const forgetSilentNodes = () => {
        if (this.#isConnected()) this.#forgetSilent(everyMs);
      };
      this.#silenceCheck = { timer: setInterval(forgetSilentNodes, everyMs).unref(), everyMs };
    }
  }

  #drop({ nodeId, rpcAddress }: MediaNode): void {
    this.#nodes.delete(nodeId);
    this.#clients.get(rpcAddress)?.close();
    this.#clients.delete(rpcAddress);
  }

  async #reportGone(nodeId: MediaNodeId): Promise<void> {
    this.#log.warn({ nodeId }, 'media node is gone');
    await this.#onGone(nodeId);
  }
}
