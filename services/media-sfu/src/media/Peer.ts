import type { FrameDelivery } from '@nolo/kit/delivery';
import type { ParticipantId, UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import { createSerialQueue } from '@nolo/kit/serialQueue';
import type { MediaSource } from '@nolo/rules';
import { ortc, type types } from 'mediasoup';
import type { VideoDemand } from '../domain/demand.ts';
import type { ClientConsumerOptions, PeerFrame } from '../domain/messages.ts';
import type { VisibleTile } from '../domain/parameters.ts';
import { computePeerCost } from '../domain/placement.ts';
import { ViewedVideos } from '../domain/ViewedVideos.ts';
import { mediaInvalid, mediaLimitReached, mediaNotFound } from '../errors.ts';
import { checkCapabilities, openConsumer } from './openConsumer.ts';
import { PeerConsumer } from './PeerConsumer.ts';
import { PeerTransport, configureTransports, type PeerTransports, type TransportListener } from './PeerTransport.ts';
import { isClosedError, toMediaError } from './refusal.ts';
import type { PreparedTransports } from './PreparedTransports.ts';
import type { Shard } from './Shard.ts';
import type { Track } from './Track.ts';

/** Callbacks of a peer to its room and node. */
export interface PeerCallbacks {
  deliver(gatewayId: string, delivery: FrameDelivery): void;
  /** Adds a new track of this peer and forwards it to everyone else. */
  produced(peer: Peer, producer: types.Producer, source: MediaSource, shortSide?: number): Promise<void>;
  connected(peer: Peer): void;
  lost(peer: Peer): void;
  /** Reports whether a client found a path to one of its transports here. */
  searched(found: boolean): void;
  /** Reports that the worker died. */
  orphaned(peer: Peer): void;
}

export interface PeerOptions {
  id: ParticipantId;
  roomCode: string;
  userId: UserId;
  gatewayId: string;
  rtpCapabilities: types.RtpCapabilities;
  /** Client's parameters for both transports, if already known. */
  dtlsParameters: types.DtlsParameters | undefined;
  /** Prepared transports that are already connected. Undefined: new ones are created on the shard. */
  preparedTransports: PreparedTransports | undefined;
  /** Prepared consumers for which the client is set up. */
  readyConsumerIds: readonly string[];
  shard: Shard;
  maxIncomingBitrate: number;
  lostAfterMs: number;
  pathWithinMs: number;
  host: PeerCallbacks;
  log: Log;
}

/** Time in which a participant who has sent nothing may still be connecting. */
const arrivingMs = 5_000;

const maxConsumers = 256;
const maxTiles = 24;

/** Interval within which key frame requests for a stream are combined. */
const keyFrameRequestDelay = 300;

/**
 * Maximum time that frames are held after a join. Until the client sends something, the response to its join may be in
 * flight and frames would overtake it.
 */
const holdFramesMs = 1000;

const kindOf = { microphone: 'audio', camera: 'video', screen: 'video', screen_audio: 'audio' } as const;

/**
 * Participant with two transports: one for its producers, the other for a consumer per voice, per shared screen, and
 * per camera that was viewed (docs/adr/0034).
 */
export class Peer {
  readonly id: ParticipantId;
  readonly userId: UserId;
  readonly shard: Shard;
  readonly send: PeerTransport;
  readonly receive: PeerTransport;
  readonly producers = new Map<MediaSource, types.Producer>();
  /** Consumers by producer ID. */
  readonly consumers = new Map<string, PeerConsumer>();
  /** Layers requested of this participant's videos, by producer ID. Missing entries mean all. */
  readonly #requestedLayers = new Map<string, number>();
  readonly #options: PeerOptions;
  readonly #openedAt = performance.now();
  readonly #consuming = new Map<string, Promise<void>>();
  /** Cameras that this participant has not viewed yet, by producer ID. */
  readonly #unseen = new Map<string, Track>();
  readonly #view = new ViewedVideos();
  readonly #queue = createSerialQueue();
  #gatewayId: string;
  #answered = false;
  #queuedFrames: PeerFrame[] | undefined = [];
  #holding: NodeJS.Timeout | undefined;
  /** Last reported state. */
  #connection: 'connected' | 'lost' | undefined;
  #closed = false;

  private constructor(options: PeerOptions, transportsFor: (listener: TransportListener) => PeerTransports) {
    this.#options = options;
    this.id = options.id;
    this.userId = options.userId;
    this.#gatewayId = options.gatewayId;
    this.shard = options.shard;
    const listener = {
      lostAfterMs: options.lostAfterMs,
      pathWithinMs: options.pathWithinMs,
      changed: () => this.#connectionChanged(),
      searched: (found: boolean) => options.host.searched(found),
      orphaned: () => {
        if (!this.#closed) options.host.orphaned(this);
      },
    };
    ({ send: this.send, receive: this.receive } = transportsFor(listener));
    this.shard.worker.peers.add(this);
  }

  static async open(options: PeerOptions): Promise<Peer> {
    const { preparedTransports } = options;
    try {
      checkCapabilities(options.rtpCapabilities, options.shard);
    } catch (error) {
      preparedTransports?.discard();
      throw error;
    }
    if (preparedTransports) {
      const peer = new Peer(options, (listener) => preparedTransports.handTo(listener));
      peer.#connectionChanged();
      return peer;
    }
    const { send, receive } = await options.shard.openTransports();
    return new Peer(options, (listener) => ({
      send: new PeerTransport(send, listener),
      receive: new PeerTransport(receive, listener),
    }));
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Prepares the transports. Already done for reserved ones. */
  async prepare(): Promise<void> {
    if (!this.#options.preparedTransports) await configureTransports(this, this.#options);
  }

  /** True if someone is at the other end, or may return or arrive any moment. */
  get isPresent(): boolean {
    const states = [this.send.state, this.receive.state];
    if (states.includes('lost')) return false;
    return states.some((state) => state !== 'new') || performance.now() - this.#openedAt < arrivingMs;
  }

  get cost(): number {
    return computePeerCost(this.consumers.size);
  }

  /** Switches the gateway and repeats layer requests, because those sent over the previous connection may be lost. */
  moveTo(gatewayId: string): void {
    this.#gatewayId = gatewayId;
    for (const [producerId, layers] of this.#requestedLayers) this.#sendLayers(producerId, layers);
  }

  /** Asks the client to send this many layers of a video, counted from the lowest. */
  requestLayers({ id }: types.Producer, layers: number): void {
    this.#requestedLayers.set(id, layers);
    this.#sendLayers(id, layers);
  }

  /** True if the client is asked to send any layer. */
  isRequested({ id }: types.Producer): boolean {
    return this.#requestedLayers.get(id) !== 0;
  }

  /** Returns the current consumers. Later ones are sent as frames. */
  answer(): ClientConsumerOptions[] {
    this.#answered = true;
    this.#holding = setTimeout(() => this.release(), holdFramesMs);
    return [...this.consumers.values()].map(({ options }) => options);
  }

  /** Starts sending frames, because the client's request shows that it knows of its join. */
  release(): void {
    clearTimeout(this.#holding);
    const queuedFrames = this.#queuedFrames ?? [];
    this.#queuedFrames = undefined;
    for (const frame of queuedFrames) this.#deliver(frame);
  }

  transport(id: string): PeerTransport {
    const transport = [this.send, this.receive].find((one) => one.id === id);
    if (!transport || this.#closed) throw mediaNotFound();
    return transport;
  }

  produce(
    source: MediaSource,
    kind: types.MediaKind,
    rtpParameters: types.RtpParameters,
    paused: boolean,
    shortSide?: number,
  ): Promise<types.Producer> {
    if (kindOf[source] !== kind) throw mediaInvalid(`${source} cannot be ${kind}`);
    this.send.expect();
    return this.#queue(async () => {
      const { transport } = this.send;
      try {
        ortc.validateAndNormalizeRtpParameters(structuredClone(rtpParameters));
        // Closes the previous producer first, because the new one may use its stream IDs.
        this.producers.get(source)?.close();
        const producer = await transport.produce({
          kind,
          rtpParameters,
          paused,
          ...(kind === 'video' ? { keyFrameRequestDelay } : {}),
        });
        // A transport that closed meanwhile does not know the producer and would not close it.
        if (transport.closed) {
          producer.close();
          throw mediaNotFound();
        }
        this.producers.set(source, producer);
        producer.observer.once('close', () => {
          if (this.producers.get(source) === producer) this.producers.delete(source);
          this.#requestedLayers.delete(producer.id);
        });
        await this.#options.host.produced(this, producer, source, shortSide);
        return producer;
      } catch (error) {
        throw toMediaError(error, transport, true);
      }
    });
  }

  closeProducer(producerId: string): Promise<void> {
    return this.#queue(async () => {
      for (const producer of this.producers.values()) if (producer.id === producerId) producer.close();
    });
  }

  setPaused(source: MediaSource, paused: boolean): Promise<void> {
    return this.#queue(async () => {
      const producer = this.producers.get(source);
      if (!producer || producer.paused === paused) return;
      try {
        await (paused ? producer.pause() : producer.resume());
      } catch (error) {
        // A closed producer needs no pause.
        if (!isClosedError(producer, error)) throw error;
      }
    });
  }

  async setView(tiles: readonly VisibleTile[]): Promise<void> {
    if (tiles.length > maxTiles) throw mediaLimitReached('tiles', maxTiles);
    this.#view.setTiles(tiles);
    const first = [...this.#unseen.values()].filter((track) => this.#view.findDisplay(track));
    await Promise.all([
      ...[...this.consumers.values()].map((one) =>
        this.#settle(one, one.setDisplay(this.#view.findDisplay(one.track))),
      ),
      ...first.map((track) => this.consume(track, true)),
    ]);
  }

  async resumeConsumers(consumerIds: readonly string[]): Promise<void> {
    if (consumerIds.length > maxConsumers) throw mediaLimitReached('consumers', maxConsumers);
    this.receive.expect();
    const byId = new Map([...this.consumers.values()].map((one) => [one.consumer.id, one]));
    const known = consumerIds.flatMap((id) => byId.get(id) ?? []);
    await Promise.all(known.map((one) => this.#settle(one, one.ready())));
    // Existing consumers resume anyway: one that its sender closed meanwhile must not block the rest.
    if (known.length < consumerIds.length) throw mediaNotFound();
  }

  /**
   * Creates the consumer for another participant's track, once per track. A camera that is not viewed gets one when it
   * first is.
   */
  consume(track: Track, audible: boolean): Promise<void> {
    const known = this.#consuming.get(track.id);
    if (known) return known;
    if (!this.#unseen.has(track.id)) track.producer.observer.once('close', () => this.#forget(track));
    if (this.#isUnseen(track)) {
      this.#unseen.set(track.id, track);
      return Promise.resolve();
    }
    this.#unseen.delete(track.id);
    const consuming = this.#consume(track, audible).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'consuming a track for a participant failed');
    });
    this.#consuming.set(track.id, consuming);
    return consuming;
  }

  setAudible(producerId: string, audible: boolean): void {
    const one = this.consumers.get(producerId);
    if (one) void this.#settle(one, one.setAudible(audible));
  }

  frame(frame: PeerFrame): void {
    if (this.#closed) return;
    if (this.#queuedFrames) this.#queuedFrames.push(frame);
    else this.#deliver(frame);
  }

  /** Closes the transports and everything on them. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#holding);
    this.shard.worker.peers.delete(this);
    this.send.close();
    this.receive.close();
    this.consumers.clear();
  }

  async #consume(track: Track, audible: boolean): Promise<void> {
    const { shard, rtpCapabilities, log, preparedTransports, readyConsumerIds } = this.#options;
    if (this.consumers.size >= maxConsumers) {
      log.warn({ participantId: this.id }, 'participant has reached the consumer limit');
      return;
    }
    const { transport } = this.receive;
    const consumer =
      preparedTransports?.consumerOf(track) ?? (await openConsumer(track, shard, transport, rtpCapabilities));
    if (!consumer) return;
    const display = this.#view.findDisplay(track);
    const want = (demand: VideoDemand) => shard.want(track, consumer, demand);
    const one = new PeerConsumer({ track, consumer, audible, display, want });
    this.#add(one);
    if (readyConsumerIds.includes(consumer.id)) void this.#settle(one, one.ready());
  }

  #add(one: PeerConsumer): void {
    const { consumer, track } = one;
    this.consumers.set(track.id, one);
    consumer.on('producerclose', () => {
      this.consumers.delete(track.id);
      if (this.#answered) this.frame({ type: 'media_consumer_closed', data: { consumerId: consumer.id } });
    });
    consumer.on('transportclose', () => this.consumers.delete(track.id));
    const paused = (now: boolean) => {
      if (!this.#answered) return;
      this.frame({ type: 'media_consumer_paused', data: { consumerId: consumer.id, paused: now } });
    };
    consumer.on('producerpause', () => paused(true));
    consumer.on('producerresume', () => paused(false));
    if (this.#answered) this.frame({ type: 'media_consumer_added', data: { consumer: one.options } });
  }

  #isUnseen(track: Track): boolean {
    return (
      track.source === 'camera' &&
      !this.#view.findDisplay(track) &&
      !this.#options.preparedTransports?.consumerOf(track)
    );
  }

  #forget({ id }: Track): void {
    this.#consuming.delete(id);
    this.#unseen.delete(id);
    this.#view.forget(id);
  }

  #sendLayers(producerId: string, layers: number): void {
    this.frame({ type: 'media_layers', data: { producerId, layers } });
  }

  async #settle(one: PeerConsumer, change: Promise<void>): Promise<void> {
    try {
      await change;
    } catch (error) {
      if (!one.consumer.closed) this.#options.log.warn({ err: error }, 'changing a consumer failed');
    }
  }

  #connectionChanged(): void {
    if (this.#closed) return;
    const states = [this.send.state, this.receive.state];
    if (states.includes('lost')) this.#reportConnection('lost');
    else if (states.includes('connected') && !states.includes('away')) this.#reportConnection('connected');
  }

  #reportConnection(now: 'connected' | 'lost'): void {
    if (this.#connection === now) return;
    this.#connection = now;
    this.#options.host[now](this);
  }

  #deliver({ type, data }: PeerFrame): void {
    this.#options.host.deliver(this.#gatewayId, {
      recipients: [this.userId],
      scope: this.id,
      frame: { type, data: { roomCode: this.#options.roomCode, participantId: this.id, ...data } },
    });
  }
}
