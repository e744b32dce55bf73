import { lookup } from 'node:dns/promises';
import type { MediaNodeId, ParticipantId, RoomId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import { isAppError } from '@nolo/kit/errors';
import type { RpcClient } from '@nolo/kit/rpc';
import { createSerialQueue, type SerialQueue } from '@nolo/kit/serialQueue';
import type { MediaServiceDefinition } from '@nolo/proto/media';
import type { SetPipeDemandRequest, SetPipedProducerRequest } from '@nolo/proto/pipes';
import type { types } from 'mediasoup';
import { parseDemand, isSameDemand, noDemand, type VideoDemand } from '../domain/demand.ts';
import {
  parseMediaId,
  parseMediaKind,
  parseShortSide,
  parseRtpParameters,
  parseMediaSource,
} from '../domain/parameters.ts';
import { mediaInvalid, mediaNotFound } from '../errors.ts';
import { TrackForwarder } from './TrackForwarder.ts';
import { toMediaError } from './refusal.ts';
import type { Shard } from './Shard.ts';
import { socketBuffers } from './socketBuffers.ts';
import { Track } from './Track.ts';

export type NodeClient = RpcClient<typeof MediaServiceDefinition>;

/** Identity of this node for other nodes. */
export interface OwnNode {
  readonly nodeId: MediaNodeId;
  /** RPC address as host:port. Known once it listens. */
  rpcAddress: string;
}

/** End of a pipe, as the opposite end needs to know it. */
export interface PipeEndpoint {
  ip: string;
  port: number;
  srtpParameters: types.SrtpParameters;
}

export interface LinkOptions {
  roomId: RoomId;
  /** RPC address of the other node. */
  address: string;
  client: NodeClient;
  self: OwnNode;
  listenIp: string;
  /** End of the pipe on this side: the room's first shard. */
  shard: Shard;
  log: Log;
  /** Handles a new track from the other node. */
  arrived(track: Track): Promise<void>;
  /** Handles the end of the pipe. `gone`: the other node has closed the room. */
  closed(link: NodeLink, why: 'gone' | 'failed'): void;
}

/** Pipe between a room and its counterpart on another node. Carries tracks in both directions. */
export class NodeLink {
  readonly address: string;
  readonly shard: Shard;
  readonly #options: LinkOptions;
  readonly #transport: types.PipeTransport;
  readonly #queues = new Map<string, SerialQueue>();
  /** Outgoing tracks by producer ID. Undefined until the outlet exists. */
  readonly #outgoing = new Map<string, TrackForwarder | undefined>();
  readonly #incoming = new Map<string, Track>();
  #remote: PipeEndpoint | undefined;
  #nodeId: MediaNodeId | undefined;
  #closed = false;

  private constructor(options: LinkOptions, transport: types.PipeTransport) {
    this.address = options.address;
    this.shard = options.shard;
    this.#options = options;
    this.#transport = transport;
    transport.on('routerclose', () => this.close('failed'));
  }

  static async open(options: LinkOptions): Promise<NodeLink> {
    const { listenIp: ip, self } = options;
    const everywhere = /^(0\.0\.0\.0|::)$/.test(ip);
    const transport = await options.shard.router.createPipeTransport({
      listenInfo: {
        protocol: 'udp',
        ip,
        ...socketBuffers,
        ...(everywhere ? { announcedAddress: hostOf(self.rpcAddress) } : {}),
      },
      enableRtx: true,
      enableSrtp: true,
    });
    return new NodeLink(options, transport);
  }

  get closed(): boolean {
    return this.#closed;
  }

  get nodeId(): string | undefined {
    return this.#nodeId;
  }

  get connected(): boolean {
    return this.#remote !== undefined;
  }

  get end(): PipeEndpoint {
    const { tuple, srtpParameters } = this.#transport;
    if (!srtpParameters) throw new Error('The pipe has no SRTP parameters.');
    return { ip: tuple.localAddress, port: tuple.localPort, srtpParameters };
  }

  /** True if it is connected with exactly this end. A different end belongs to a pipe that the other node recreated. */
  leadsTo(nodeId: MediaNodeId, end: PipeEndpoint): boolean {
    return this.#nodeId === nodeId && JSON.stringify(this.#remote) === JSON.stringify(end);
  }

  /** Connects to the other end. Both nodes may request it at once; the repetition has no effect. */
  async connect(nodeId: MediaNodeId, end: PipeEndpoint): Promise<void> {
    if (this.leadsTo(nodeId, end)) return;
    if (this.#remote) throw new Error('The pipe is already connected elsewhere.');
    this.#remote = end;
    this.#nodeId = nodeId;
    const { address } = await lookup(end.ip);
    await this.#transport.connect({ ip: address, port: end.port, srtpParameters: end.srtpParameters });
  }

  /** Sends a track of this node and keeps the other side up to date about it. */
  push(track: Track): void {
    if (this.#closed || track.remote || this.#outgoing.has(track.id)) return;
    this.#outgoing.set(track.id, undefined);
    this.#later(track.id, () => this.#push(track));
  }

  /** Applies the other node's update about one of its tracks. */
  pull(request: SetPipedProducerRequest): Promise<void> {
    return this.#enqueue(request.producerId, async () => {
      const known = this.#incoming.get(request.producerId)?.producer;
      if (request.closed) known?.close();
      else if (!known) await this.#pull(request);
      else if (known.paused !== request.paused) await (request.paused ? known.pause() : known.resume());
    });
  }

  /** Sets what the other side demands of a track of this node. Ended tracks are ignored. */
  async demand({ producerId, wanted, layers }: SetPipeDemandRequest): Promise<void> {
    const outlet = this.#outgoing.get(producerId);
    await outlet?.setDemand(parseDemand(wanted, layers, outlet.layers));
  }

  /** Ends the tracks received over it. Idempotent. */
  close(why: 'gone' | 'failed'): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#transport.close();
    this.#options.closed(this, why);
  }

  async #push(track: Track): Promise<void> {
    try {
      await this.shard.bring(track);
      if (track.closed || this.#closed) return;
      const consumer = await this.#transport.consume({ producerId: track.id });
      const { kind, rtpParameters, producerPaused } = consumer;
      // Initial demand until the other side reports its own. Does not make the sender send more.
      const demand = { flows: true, layers: 1 };
      this.#outgoing.set(track.id, new TrackForwarder({ consumer, track, shard: this.shard, demand }));
      let lastSent = producerPaused;
      await this.#sendTrackState(track, { kind, rtpParametersJson: JSON.stringify(rtpParameters), paused: lastSent });
      const follow = () =>
        this.#later(track.id, async () => {
          if (consumer.closed || consumer.producerPaused === lastSent) return;
          lastSent = consumer.producerPaused;
          await this.#sendTrackState(track, { paused: lastSent });
        });
      consumer.on('producerpause', follow);
      consumer.on('producerresume', follow);
      consumer.observer.once('close', () => this.#later(track.id, () => this.#end(track)));
      // Catches up with changes during the first notification.
      if (consumer.closed) await this.#end(track);
      else follow();
    } catch (error) {
      if (!track.closed) this.#options.log.warn({ err: error }, 'sending a track to another node failed');
      else await this.#end(track);
    }
  }

  async #end(track: Track): Promise<void> {
    await this.#sendTrackState(track, { closed: true });
    this.#outgoing.delete(track.id);
    this.#queues.delete(track.id);
  }

  async #pull(request: SetPipedProducerRequest): Promise<void> {
    if (!request.rtpParametersJson) throw mediaNotFound();
    const source = parseMediaSource(request.source);
    const kind = parseMediaKind(request.kind);
    const rtpParameters = parseRtpParameters(request.rtpParametersJson, kind);
    try {
      const producer = await this.#transport.produce({
        id: request.producerId,
        kind,
        rtpParameters,
        paused: request.paused,
      });
      const participantId = parseMediaId<ParticipantId>(request.participantId);
      const lines = parseShortSide(request.lines);
      const demand = this.#demandOf(producer);
      const track = new Track({
        participantId,
        source,
        producer,
        shortSide: lines,
        shard: this.shard,
        remote: true,
        demand,
      });
      this.#incoming.set(track.id, track);
      producer.observer.once('close', () => {
        this.#incoming.delete(track.id);
        this.#queues.delete(track.id);
      });
      await this.#options.arrived(track);
      // The other side sends until it is notified, and nobody can have viewed the track yet.
      if (kind === 'video') demand(this.shard.demand(track));
    } catch (error) {
      throw toMediaError(error, this.#transport, true);
    }
  }

  /** Creates a function that reports this side's demand for a remote track, in order and only the latest. */
  #demandOf(producer: types.Producer): (demand: VideoDemand) => void {
    const queue = createSerialQueue();
    let wanted = noDemand;
    let lastSent: VideoDemand | undefined;
    const sendDemand = async () => {
      if (this.#closed || producer.closed || (lastSent && isSameDemand(wanted, lastSent))) return;
      const now = wanted;
      const { client, self, roomId } = this.#options;
      try {
        await client.setPipeDemand({
          roomId,
          nodeId: self.nodeId,
          rpcAddress: self.rpcAddress,
          producerId: producer.id,
          wanted: now.flows,
          layers: now.layers,
        });
        lastSent = now;
      } catch (error) {
        // Unviewed media does no harm, but viewed media must arrive, so this requires a new pipe.
        if (now.flows) this.#handleSendFailure(error);
      }
    };
    return (now) => {
      wanted = now;
      void queue(sendDemand);
    };
  }

  async #sendTrackState(track: Track, what: Partial<SetPipedProducerRequest>): Promise<void> {
    if (this.#closed) return;
    const { client, self, roomId } = this.#options;
    try {
      await client.setPipedProducer({
        roomId,
        nodeId: self.nodeId,
        rpcAddress: self.rpcAddress,
        producerId: track.id,
        participantId: track.participantId,
        kind: track.kind,
        source: track.source,
        paused: track.producer.paused,
        closed: false,
        lines: track.layers.shortSide,
        ...what,
      });
    } catch (error) {
      this.#handleSendFailure(error);
    }
  }

  #handleSendFailure(error: unknown): void {
    const gone = isAppError(error) && error.kind === 'not_found';
    const { address } = this;
    if (!gone) this.#options.log.warn({ err: error, address }, 'notifying another node about a track failed');
    this.close(gone ? 'gone' : 'failed');
  }

  /** Runs work in the track's queue unless the pipe is closed by then. Callers do not wait. */
  #later(producerId: string, work: () => Promise<void>): void {
    if (this.#closed) return;
    this.#enqueue(producerId, work).catch((error: unknown) => {
      if (!this.#closed) this.#options.log.warn({ err: error }, 'updating a track on another node failed');
    });
  }

  /** Runs work in order per track, for changes from both sides. */
  async #enqueue(producerId: string, work: () => Promise<void>): Promise<void> {
    if (this.#closed) throw mediaNotFound();
    let queue = this.#queues.get(producerId);
    if (!queue) this.#queues.set(producerId, (queue = createSerialQueue()));
    await queue(work);
  }
}

function hostOf(address: string): string {
  return address.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
}

/** Parses the other side's end of a pipe. */
export function readPipeEndpoint(ip: string, port: number, srtpParameters: types.SrtpParameters): PipeEndpoint {
  if (ip === '' || !Number.isInteger(port) || port < 1 || port > 65_535) throw mediaInvalid('invalid pipe address');
  return { ip, port, srtpParameters };
}
