import type { MediaNodeId, RoomId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import { isAppError } from '@nolo/kit/errors';
import type { OpenPipeRequest, SetPipeDemandRequest, SetPipedProducerRequest } from '@nolo/proto/pipes';
import { parseMediaId, parseSrtpParameters } from '../domain/parameters.ts';
import { mediaNotFound } from '../errors.ts';
import { NodeLink, readPipeEndpoint, type NodeClient, type PipeEndpoint, type OwnNode } from './NodeLink.ts';
import { toMediaError } from './refusal.ts';
import type { Shard } from './Shard.ts';
import type { Track } from './Track.ts';

export interface RoomLinksOptions {
  roomId: RoomId;
  self: OwnNode;
  listenIp: string;
  log: Log;
  clientOf(address: string): NodeClient;
  /** Returns the end of the room's pipes. */
  shard(): Promise<Shard>;
  tracks(): Iterable<Track>;
  arrived(track: Track): Promise<void>;
}

/** Pipes of one room to the other nodes that carry it. One per node, regardless of which side asked first. */
export class RoomLinks {
  readonly #options: RoomLinksOptions;
  /** Nodes, except this one, reported to carry the room. */
  readonly #wanted = new Set<string>();
  readonly #links = new Map<string, Promise<NodeLink>>();
  readonly #open = new Map<string, NodeLink>();
  #closed = false;

  constructor(options: RoomLinksOptions) {
    this.#options = options;
  }

  /** RPC addresses of other nodes with a working pipe. */
  get addresses(): string[] {
    return [...this.#open.values()].filter(({ connected }) => connected).map(({ address }) => address);
  }

  /** All other nodes with an existing or requested pipe. */
  get known(): string[] {
    return [...this.#wanted, ...this.#links.keys()];
  }

  /** Creates pipes to other nodes that carry the room. Does not wait for them. */
  want(addresses: readonly string[]): void {
    for (const address of addresses) if (address !== this.#options.self.rpcAddress) this.#wanted.add(address);
    this.retry();
  }

  /** Retries pipes that failed. */
  retry(): void {
    if (this.#closed) return;
    for (const address of this.#wanted) if (!this.#links.has(address)) void this.#ask(address);
  }

  /** Handles another node's request for this end of a pipe. */
  async accept(request: OpenPipeRequest): Promise<PipeEndpoint> {
    const nodeId = parseMediaId<MediaNodeId>(request.nodeId);
    const end = readPipeEndpoint(request.ip, request.port, parseSrtpParameters(request.srtpParametersJson));
    const present = this.#open.get(request.rpcAddress);
    // The other node recreated its end, so its previous pipe is gone.
    if (present?.connected && !present.leadsTo(nodeId, end)) present.close('gone');
    this.#wanted.add(request.rpcAddress);
    const link = await this.#link(request.rpcAddress);
    try {
      await link.connect(nodeId, end);
    } catch (error) {
      link.close('failed');
      throw toMediaError(error, link, true);
    }
    this.#pushAll(link);
    return link.end;
  }

  async pull(request: SetPipedProducerRequest): Promise<void> {
    const link = await this.#links.get(request.rpcAddress);
    if (!link || (link.nodeId !== undefined && link.nodeId !== request.nodeId)) throw mediaNotFound();
    await link.pull(request);
  }

  async demand(request: SetPipeDemandRequest): Promise<void> {
    const link = await this.#links.get(request.rpcAddress);
    if (!link || (link.nodeId !== undefined && link.nodeId !== request.nodeId)) throw mediaNotFound();
    await link.demand(request);
  }

  /** Sends a track that was created here to the other nodes. */
  push(track: Track): void {
    for (const link of this.#open.values()) if (link.connected) link.push(track);
  }

  /** Drops a node that closed the room or is dead. */
  drop(address: string): void {
    this.#wanted.delete(address);
    this.#open.get(address)?.close('gone');
  }

  /** Equals `drop`, but by node ID, whatever its address. */
  dropNode(nodeId: MediaNodeId): void {
    for (const link of this.#open.values()) if (link.nodeId === nodeId) this.drop(link.address);
  }

  close(): void {
    this.#closed = true;
    this.#wanted.clear();
    for (const link of this.#open.values()) link.close('gone');
  }

  async #ask(address: string): Promise<void> {
    const { roomId, self, log } = this.#options;
    let link: NodeLink | undefined;
    try {
      link = await this.#link(address);
      if (link.connected) return;
      const { ip, port, srtpParameters } = link.end;
      const reply = await this.#options.clientOf(address).openPipe({
        roomId,
        nodeId: self.nodeId,
        rpcAddress: self.rpcAddress,
        ip,
        port,
        srtpParametersJson: JSON.stringify(srtpParameters),
      });
      const end = readPipeEndpoint(reply.ip, reply.port, parseSrtpParameters(reply.srtpParametersJson));
      await link.connect(parseMediaId<MediaNodeId>(reply.nodeId), end);
      this.#pushAll(link);
    } catch (error) {
      // If the room is empty there, the other node asks as soon as someone joins.
      const gone = isAppError(error) && error.kind === 'not_found';
      if (!gone && !this.#closed) log.warn({ err: error, address }, 'creating a pipe to another node failed');
      if (gone) this.#wanted.delete(address);
      link?.close(gone ? 'gone' : 'failed');
    }
  }

  #link(address: string): Promise<NodeLink> {
    let link = this.#links.get(address);
    if (!link) {
      link = this.#make(address);
      this.#links.set(address, link);
      link.catch(() => this.#links.delete(address));
    }
    return link;
  }

  async #make(address: string): Promise<NodeLink> {
    const { roomId, self, listenIp, log } = this.#options;
    const link = await NodeLink.open({
      roomId,
      address,
      client: this.#options.clientOf(address),
      self,
      listenIp,
      shard: await this.#options.shard(),
      log,
      arrived: (track) => this.#options.arrived(track),
      closed: (one, why) => {
        if (this.#open.get(address) === one) {
          this.#open.delete(address);
          this.#links.delete(address);
        }
        if (why === 'gone') this.#wanted.delete(address);
      },
    });
    if (this.#closed) {
      link.close('gone');
      throw mediaNotFound();
    }
    this.#open.set(address, link);
    return link;
  }

  #pushAll(link: NodeLink): void {
    for (const track of this.#options.tracks()) link.push(track);
  }
}
