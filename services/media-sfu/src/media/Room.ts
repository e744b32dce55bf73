import type { Clock } from '@nolo/kit/clock';
import type { FrameDelivery } from '@nolo/kit/delivery';
import type { ParticipantId, RoomId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import { createSerialQueue } from '@nolo/kit/serialQueue';
import type { MediaSource } from '@nolo/rules';
import type { types } from 'mediasoup';
import type { VideoDemand } from '../domain/demand.ts';
import type { ClientConsumerOptions, NodeEvent } from '../domain/messages.ts';
import { selectFirstPageTracks } from '../domain/selectFirstPageTracks.ts';
import { choosePeerWorker } from '../domain/placement.ts';
import { mediaNotFound, mediaUnavailable, roomFull } from '../errors.ts';
import type { NodeClient, OwnNode } from './NodeLink.ts';
import { Peer, type PeerCallbacks } from './Peer.ts';
import { RoomLinks } from './RoomLinks.ts';
import { PreparedTransports, type PreparedTransportsOptions } from './PreparedTransports.ts';
import { PreparedTransportsRegistry, type PreparedTransportsClaim } from './PreparedTransportsRegistry.ts';
import { ViewedLayersReporter } from './ViewedLayersReporter.ts';
import { Shard, type ShardListener } from './Shard.ts';
import { layersOf, Track } from './Track.ts';
import { RoomVoices } from './RoomVoices.ts';
import type { WorkerPool } from './WorkerPool.ts';

interface RoomSettings {
  /** Streams that one worker sends before a room spreads to another. */
  readonly consumersPerWorker: number;
  readonly maxIncomingBitrate: number;
  /** Maximum time that a participant's connection may be away. */
  readonly lostAfterMs: number;
  /** Time in which a participant may look for a path to this node before it counts as missing. */
  readonly pathWithinMs: number;
  /** Time that an empty room stays open for people who return. */
  readonly emptyRoomMs: number;
  /** Lifetime of transports prepared for someone who is about to join. */
  readonly preparedTransportsMs: number;
  readonly pipeListenIp: string;
  /** Time that fewer layers of a video must be viewed before its sender is notified. */
  readonly fewerLayersAfterMs: number;
}

/** Node that contains a room. */
export interface RoomNodeContext {
  readonly pool: WorkerPool;
  readonly self: OwnNode;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: RoomSettings;
  clientOf(address: string): NodeClient;
  deliver(gatewayId: string, delivery: FrameDelivery): void;
  sendScores(event: NodeEvent): void;
  searched(found: boolean): void;
  /** Reports whether prepared transports were used. */
  recordPreparedTransports(outcome: 'taken' | 'unused'): void;
  closed(room: Room): void;
}

/** Person for whom transports are prepared. */
type PreparedTransportsOwner = Pick<PreparedTransportsOptions, 'id' | 'userId' | 'dtlsParameters' | 'rtpCapabilities'>;

export interface JoinOptions extends PreparedTransportsClaim {
  roomCode: string;
  participantId: ParticipantId;
  gatewayId: string;
  rtpCapabilities: types.RtpCapabilities;
  /** 0: no limit. */
  maxParticipants: number;
  otherNodes: readonly string[];
  /** Prepared consumers for which the client is set up. */
  readyConsumerIds: readonly string[];
}

/** Meeting or call: its shards, participants, tracks, and pipes to other nodes. */
export class Room implements PeerCallbacks, ShardListener {
  readonly id: RoomId;
  readonly peers = new Map<string, Peer>();
  /** Tracks by producer ID. */
  readonly tracks = new Map<string, Track>();
  readonly links: RoomLinks;
  /** Transports prepared for people who are about to join. */
  readonly preparedTransports = new PreparedTransportsRegistry();
  readonly #host: RoomNodeContext;
  readonly #log: Log;
  readonly #voices: RoomVoices;
  readonly #placing = createSerialQueue();
  #shards: Shard[] = [];
  #joining = 0;
  #emptyTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(id: RoomId, host: RoomNodeContext) {
    this.id = id;
    this.#host = host;
    this.#log = host.log.child({ roomId: id });
    this.#voices = new RoomVoices(host.clock, {
      audible: (producerId, audible) => {
        for (const peer of this.peers.values()) peer.setAudible(producerId, audible);
      },
      speakers: (speakers) => this.#sendSpeakers(speakers),
    });
    this.links = new RoomLinks({
      roomId: id,
      self: host.self,
      listenIp: host.settings.pipeListenIp,
      log: this.#log,
      clientOf: (address) => host.clientOf(address),
      shard: () => this.#firstShard(),
      tracks: () => this.tracks.values(),
      arrived: (track) => this.addTrack(track),
    });
    this.#watchEmptiness();
  }

  get closed(): boolean {
    return this.#closed;
  }

  get shards(): readonly Shard[] {
    return this.#shards;
  }

  /** Adds a participant, replacing one with the same ID, and returns consumers for the current tracks. */
  async join(options: JoinOptions): Promise<{ peer: Peer; consumers: ClientConsumerOptions[] }> {
    if (this.#closed) throw mediaNotFound();
    this.#joining += 1;
    clearTimeout(this.#emptyTimer);
    try {
      this.#makeRoomFor(options);
      const preparedTransports = this.preparedTransports.take(options);
      if (preparedTransports) this.#host.recordPreparedTransports('taken');
      const shard = preparedTransports?.shard ?? (await this.#placing(() => this.#place()));
      const peer = await this.#open(shard, options, preparedTransports);
      this.links.want(options.otherNodes);
      const wanted = [...this.tracks.values()].filter((track) => track.participantId !== peer.id);
      await Promise.all([this.#prepare(peer), ...wanted.map((track) => this.#forward(track, peer))]);
      if (peer.closed) throw this.#closed ? mediaNotFound() : mediaUnavailable();
      return { peer, consumers: peer.answer() };
    } finally {
      this.#joining -= 1;
      this.#watchEmptiness();
    }
  }

  /** Prepares transports for someone who may join. Notifies nobody. */
  async reserve(reservation: PreparedTransportsOwner): Promise<PreparedTransports> {
    if (this.#closed) throw mediaNotFound();
    const { maxIncomingBitrate, lostAfterMs, pathWithinMs, preparedTransportsMs: goodForMs } = this.#host.settings;
    const limits = { maxIncomingBitrate, lostAfterMs, pathWithinMs, goodForMs };
    this.#joining += 1;
    clearTimeout(this.#emptyTimer);
    try {
      const shard = await this.#placing(() => this.#place());
      const preparedTransports = await PreparedTransports.open({
        ...limits,
        ...reservation,
        tracks: selectFirstPageTracks(this.tracks.values(), reservation.id),
        shard,
        log: this.#log,
        searched: (found) => this.searched(found),
        closed: (over) => {
          this.preparedTransports.remove(over);
          this.#host.recordPreparedTransports('unused');
          this.#watchEmptiness();
        },
      });
      // The room or worker, and with it the transports, may have ended meanwhile.
      if (this.#closed || shard.closed) {
        preparedTransports.close();
        throw mediaUnavailable();
      }
      this.preparedTransports.add(preparedTransports);
      return preparedTransports;
    } finally {
      this.#joining -= 1;
      this.#watchEmptiness();
    }
  }

  /** Removes a participant. Unknown participants are ignored. */
  leave(participantId: string): void {
    this.#remove(this.peers.get(participantId));
  }

  /**
   * Adds a producer: everyone here may consume it, and other nodes get it if it was created here. Returns before they
   * have it.
   */
  async addTrack(track: Track): Promise<void> {
    if (track.closed) return;
    this.tracks.set(track.id, track);
    track.producer.observer.once('close', () => this.#removeTrack(track));
    if (track.isVoice) {
      track.producer.observer.on('pause', () => this.#voices.remove(track.id));
      track.producer.observer.on('resume', () => this.#voices.add(track.id));
      if (!track.producer.paused) this.#voices.add(track.id);
    }
    this.#countPeople();
    for (const peer of this.peers.values()) if (peer.id !== track.participantId) void this.#forward(track, peer);
    this.links.push(track);
    if (track.isVoice) await track.shard.listenTo(track);
  }

  /** Closes everything in it. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#emptyTimer);
    this.#voices.close();
    for (const peer of this.peers.values()) peer.close();
    this.peers.clear();
    this.preparedTransports.closeAll();
    this.links.close();
    for (const shard of this.#shards) shard.close();
    this.#shards = [];
    this.tracks.clear();
    this.#host.closed(this);
    this.#host.sendScores({ nodeId: this.#host.self.nodeId, type: 'room_empty', roomId: this.id, participantId: '' });
  }

  // Events of peers and shards.

  deliver(gatewayId: string, delivery: FrameDelivery): void {
    this.#host.deliver(gatewayId, delivery);
  }

  async produced(peer: Peer, producer: types.Producer, source: MediaSource, shortSide?: number): Promise<void> {
    const track = { participantId: peer.id, source, producer, shortSide, shard: peer.shard, remote: false };
    await this.addTrack(
      new Track(producer.kind === 'video' ? { ...track, demand: this.#toSender(peer, producer) } : track),
    );
  }

  connected(peer: Peer): void {
    this.#publishPeerEvent('peer_connected', peer);
  }

  lost(peer: Peer): void {
    this.#publishPeerEvent('peer_lost', peer);
  }

  searched(found: boolean): void {
    this.#host.searched(found);
  }

  orphaned(peer: Peer): void {
    peer.release();
    peer.frame({ type: 'media_moved', data: {} });
    this.#remove(peer);
  }

  levelsMeasured(shard: Shard, levels: { id: string; volume: number }[]): void {
    this.#voices.updateLevels(shard, levels);
  }

  dominant(producerId: string): void {
    this.#voices.setDominant(producerId);
  }

  shardLost(shard: Shard): void {
    this.#log.warn({ worker: shard.worker.index }, 'room lost a worker');
    this.#shards = this.#shards.filter((one) => one !== shard);
    this.#voices.forget(shard);
    // Transports notify their peers; this covers peers whose transports were not open yet.
    for (const peer of this.peers.values()) if (peer.shard === shard) this.orphaned(peer);
  }

  async #open(shard: Shard, options: JoinOptions, preparedTransports: PreparedTransports | undefined): Promise<Peer> {
    const { settings } = this.#host;
    const peer = await Peer.open({
      preparedTransports,
      id: options.participantId,
      roomCode: options.roomCode,
      userId: options.userId,
      gatewayId: options.gatewayId,
      rtpCapabilities: options.rtpCapabilities,
      dtlsParameters: options.dtlsParameters,
      readyConsumerIds: options.readyConsumerIds,
      shard,
      maxIncomingBitrate: settings.maxIncomingBitrate,
      lostAfterMs: settings.lostAfterMs,
      pathWithinMs: settings.pathWithinMs,
      host: this,
      log: this.#log,
    });
    try {
      if (this.#closed) throw mediaNotFound();
      if (shard.closed) throw mediaUnavailable();
      // Further people may have joined while the transports were created.
      this.#makeRoomFor(options);
    } catch (error) {
      peer.close();
      throw error;
    }
    this.peers.set(peer.id, peer);
    this.#countPeople();
    return peer;
  }

  async #prepare(peer: Peer): Promise<void> {
    try {
      await peer.prepare();
    } catch (error) {
      // A closed peer is reported below.
      if (peer.closed) return;
      this.#remove(peer);
      throw error;
    }
  }

  #toSender(peer: Peer, producer: types.Producer): (demand: VideoDemand) => void {
    const sender = new ViewedLayersReporter({
      all: layersOf(producer).spatial,
      fewerAfterMs: this.#host.settings.fewerLayersAfterMs,
      publishNodeEvent: (layers) => peer.requestLayers(producer, layers),
    });
    producer.observer.once('close', () => sender.close());
    return ({ layers }) => sender.want(layers);
  }

  #makeRoomFor({ participantId, maxParticipants }: JoinOptions): void {
    this.#remove(this.peers.get(participantId));
    if (maxParticipants > 0 && this.peers.size >= maxParticipants) throw roomFull(maxParticipants);
  }

  #remove(peer: Peer | undefined): void {
    if (!peer) return;
    peer.close();
    if (this.peers.get(peer.id) === peer) this.peers.delete(peer.id);
    this.#countPeople();
    this.#watchEmptiness();
  }

  #removeTrack(track: Track): void {
    this.tracks.delete(track.id);
    this.#voices.remove(track.id);
    this.#countPeople();
  }

  async #forward(track: Track, peer: Peer): Promise<void> {
    await peer.consume(track, !track.isVoice || this.#voices.isForwarded(track.id));
    // The voice may have been chosen or dropped while the consumer was created.
    if (track.isVoice) peer.setAudible(track.id, this.#voices.isForwarded(track.id));
  }

  async #place(): Promise<Shard> {
    const { pool, settings } = this.#host;
    const carrying = this.#shards.map(({ worker }) => worker);
    const worker = choosePeerWorker(carrying, pool.workers, settings.consumersPerWorker);
    if (!worker) throw mediaUnavailable();
    return this.#shards.find((shard) => shard.worker === worker) ?? (await this.#openShard(worker));
  }

  /** End of the pipes to other nodes. */
  #firstShard(): Promise<Shard> {
    return this.#placing(async () => this.#shards[0] ?? (await this.#place()));
  }

  async #openShard(worker: WorkerPool['workers'][number]): Promise<Shard> {
    const shard = await Shard.open(worker, this).catch((error: unknown) => {
      throw mediaUnavailable(error);
    });
    if (this.#closed) {
      shard.close();
      throw mediaNotFound();
    }
    this.#shards.push(shard);
    return shard;
  }

  /** People on other nodes are known by their tracks. */
  #countPeople(): void {
    const people = new Set(this.peers.keys());
    for (const track of this.tracks.values()) people.add(track.participantId);
    this.#voices.setPeople(people.size);
  }

  #watchEmptiness(): void {
    clearTimeout(this.#emptyTimer);
    if (this.#closed || this.peers.size + this.preparedTransports.size + this.#joining > 0) return;
    this.#emptyTimer = setTimeout(() => this.close(), this.#host.settings.emptyRoomMs);
  }

  #publishPeerEvent(type: NodeEvent['type'], peer: Peer): void {
    this.#host.sendScores({ nodeId: this.#host.self.nodeId, type, roomId: this.id, participantId: peer.id });
  }

  #sendSpeakers(speakers: readonly { id: string; volume: number }[]): void {
    const named = speakers.flatMap(({ id, volume }) => {
      const participantId = this.tracks.get(id)?.participantId;
      return participantId === undefined ? [] : [{ participantId, volume }];
    });
    for (const peer of this.peers.values()) peer.frame({ type: 'media_speakers', data: { speakers: named } });
  }
}
