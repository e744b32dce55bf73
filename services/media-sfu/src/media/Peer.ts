import type { Delivery } from '@nolo/kit/delivery';
import type { ParticipantId, UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import { createLine } from '@nolo/kit/turns';
import type { MediaSource } from '@nolo/rules';
import { ortc, type types } from 'mediasoup';
import type { Demand } from '../domain/demand.ts';
import type { ConsumerOptions, PeerFrame } from '../domain/messages.ts';
import type { Tile } from '../domain/parameters.ts';
import { costOfPeer } from '../domain/placement.ts';
import { View } from '../domain/View.ts';
import { mediaInvalid, mediaLimit, mediaNotFound } from '../errors.ts';
import { checkCapabilities, openConsumer } from './openConsumer.ts';
import { PeerConsumer } from './PeerConsumer.ts';
import { PeerTransport, prepareTransports, type PeerTransports, type TransportListener } from './PeerTransport.ts';
import { isOver, refusalOf } from './refusal.ts';
import type { Seat } from './Seat.ts';
import type { Shard } from './Shard.ts';
import type { Track } from './Track.ts';

/** What a participant's peer needs of the room and the node around it. */
export interface PeerHost {
  deliver(gatewayId: string, delivery: Delivery): void;
  /** A track of this peer's is there, and everybody else is to get it. */
  produced(peer: Peer, producer: types.Producer, source: MediaSource, lines?: number): Promise<void>;
  connected(peer: Peer): void;
  lost(peer: Peer): void;
  /** Whether a client found its way to a transport of its own here. */
  searched(found: boolean): void;
  /** The worker died under it. */
  orphaned(peer: Peer): void;
}

export interface PeerOptions {
  id: ParticipantId;
  roomCode: string;
  userId: UserId;
  gatewayId: string;
  rtpCapabilities: types.RtpCapabilities;
  /** Of the client, for both transports, where they are known already. */
  dtlsParameters: types.DtlsParameters | undefined;
  /** Where they come to, with transports that are connected already; else there are new ones on the shard. */
  seat: Seat | undefined;
  /** Consumers of the seat for which the client is set up. */
  readyConsumerIds: readonly string[];
  shard: Shard;
  maxIncomingBitrate: number;
  lostAfterMs: number;
  pathWithinMs: number;
  host: PeerHost;
  log: Log;
}

/** Who has sent nothing yet may be on the way for so long. */
const arrivingMs = 5_000;

const maxConsumers = 256;
const maxTiles = 24;

/** Requests for key frames of one stream within this time become one. */
const keyFrameRequestDelay = 300;

/** Until the client has said something, its answer to joining may be on its way, and frames would overtake it. */
const holdFramesMs = 1000;

const kindOf = { microphone: 'audio', camera: 'video', screen: 'video', screen_audio: 'audio' } as const;

/**
 * A participant: two transports, what is sent over the one, and over the other a consumer for each voice and shared screen
 * and for each camera that was looked at (docs/adr/0034).
 */
export class Peer {
  readonly id: ParticipantId;
  readonly userId: UserId;
  readonly shard: Shard;
  readonly send: PeerTransport;
  readonly receive: PeerTransport;
  readonly producers = new Map<MediaSource, types.Producer>();
  /** By producer id. */
  readonly consumers = new Map<string, PeerConsumer>();
  /** How many layers of a video of this participant's are asked for, by producer id; all where nothing was said. */
  readonly #asked = new Map<string, number>();
  readonly #options: PeerOptions;
  readonly #openedAt = performance.now();
  readonly #consuming = new Map<string, Promise<void>>();
  /** Cameras that nobody has looked at here yet, by producer id. */
  readonly #unseen = new Map<string, Track>();
  readonly #view = new View();
  readonly #turns = createLine();
  #gatewayId: string;
  #answered = false;
  #held: PeerFrame[] | undefined = [];
  #holding: NodeJS.Timeout | undefined;
  /** As told last. */
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
    const { seat } = options;
    try {
      checkCapabilities(options.rtpCapabilities, options.shard);
    } catch (error) {
      seat?.discard();
      throw error;
    }
    if (seat) {
      const peer = new Peer(options, (listener) => seat.handTo(listener));
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

  /** Those of a seat have been. */
  async prepare(): Promise<void> {
    if (!this.#options.seat) await prepareTransports(this, this.#options);
  }

  /** Whether somebody is at the other end, or may be back or arrive in a moment. */
  get isPresent(): boolean {
    const states = [this.send.state, this.receive.state];
    if (states.includes('lost')) return false;
    return states.some((state) => state !== 'new') || performance.now() - this.#openedAt < arrivingMs;
  }

  get cost(): number {
    return costOfPeer(this.consumers.size);
  }

  /** What was said on the way that is gone may not have arrived. */
  moveTo(gatewayId: string): void {
    this.#gatewayId = gatewayId;
    for (const [producerId, layers] of this.#asked) this.#tellAsked(producerId, layers);
  }

  /** Asks the client to send this many layers of a video, counted from the lowest. */
  askFor({ id }: types.Producer, layers: number): void {
    this.#asked.set(id, layers);
    this.#tellAsked(id, layers);
  }

  /** Whether the client is to send something of it. */
  isAskedFor({ id }: types.Producer): boolean {
    return this.#asked.get(id) !== 0;
  }

  /** The consumers that are there now; whatever comes after them goes as a frame. */
  answer(): ConsumerOptions[] {
    this.#answered = true;
    this.#holding = setTimeout(() => this.release(), holdFramesMs);
    return [...this.consumers.values()].map(({ options }) => options);
  }

  /** The client has spoken, so it knows that it is here: frames go out from now on. */
  release(): void {
    clearTimeout(this.#holding);
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const frame of held) this.#deliver(frame);
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
    lines?: number,
  ): Promise<types.Producer> {
    if (kindOf[source] !== kind) throw mediaInvalid(`a ${source} is no ${kind}`);
    this.send.expect();
    return this.#turns(async () => {
      const { transport } = this.send;
      try {
        ortc.validateAndNormalizeRtpParameters(structuredClone(rtpParameters));
        // First, for the new one may use the same stream ids.
        this.producers.get(source)?.close();
        const producer = await transport.produce({
          kind,
          rtpParameters,
          paused,
          ...(kind === 'video' ? { keyFrameRequestDelay } : {}),
        });
        // Closed on the way the transport does not know of it, and would not take it along.
        if (transport.closed) {
          producer.close();
          throw mediaNotFound();
        }
        this.producers.set(source, producer);
        producer.observer.once('close', () => {
          if (this.producers.get(source) === producer) this.producers.delete(source);
          this.#asked.delete(producer.id);
        });
        await this.#options.host.produced(this, producer, source, lines);
        return producer;
      } catch (error) {
        throw refusalOf(error, transport, true);
      }
    });
  }

  closeProducer(producerId: string): Promise<void> {
    return this.#turns(async () => {
      for (const producer of this.producers.values()) if (producer.id === producerId) producer.close();
    });
  }

  setPaused(source: MediaSource, paused: boolean): Promise<void> {
    return this.#turns(async () => {
      const producer = this.producers.get(source);
      if (!producer || producer.paused === paused) return;
      try {
        await (paused ? producer.pause() : producer.resume());
      } catch (error) {
        // Closed meanwhile, there is nothing to pause any more.
        if (!isOver(producer, error)) throw error;
      }
    });
  }

  async setView(tiles: readonly Tile[]): Promise<void> {
    if (tiles.length > maxTiles) throw mediaLimit('tiles', maxTiles);
    this.#view.setTiles(tiles);
    const first = [...this.#unseen.values()].filter((track) => this.#view.lookAt(track));
    await Promise.all([
      ...[...this.consumers.values()].map((one) => this.#settle(one, one.setLook(this.#view.lookAt(one.track)))),
      ...first.map((track) => this.consume(track, true)),
    ]);
  }

  async resumeConsumers(consumerIds: readonly string[]): Promise<void> {
    if (consumerIds.length > maxConsumers) throw mediaLimit('consumers', maxConsumers);
    this.receive.expect();
    const byId = new Map([...this.consumers.values()].map((one) => [one.consumer.id, one]));
    const known = consumerIds.flatMap((id) => byId.get(id) ?? []);
    await Promise.all(known.map((one) => this.#settle(one, one.ready())));
    // Those that are there go on all the same: one that its sender closed meanwhile is no reason to show nothing.
    if (known.length < consumerIds.length) throw mediaNotFound();
  }

  /**
   * Makes the consumer for what somebody else sends, once for each track, however often it is asked for; for a camera that
   * is not looked at, as soon as it is.
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
      this.#options.log.warn({ err: error }, 'a participant could not be given a track');
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
    if (this.#held) this.#held.push(frame);
    else this.#deliver(frame);
  }

  /** Ends the transports and everything on them. Idempotent. */
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
    const { shard, rtpCapabilities, log, seat, readyConsumerIds } = this.#options;
    if (this.consumers.size >= maxConsumers) {
      log.warn({ participantId: this.id }, 'a participant has as many consumers as it may have');
      return;
    }
    const { transport } = this.receive;
    const consumer = seat?.consumerOf(track) ?? (await openConsumer(track, shard, transport, rtpCapabilities));
    if (!consumer) return;
    const look = this.#view.lookAt(track);
    const want = (demand: Demand) => shard.want(track, consumer, demand);
    const one = new PeerConsumer({ track, consumer, audible, look, want });
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
    return track.source === 'camera' && !this.#view.lookAt(track) && !this.#options.seat?.consumerOf(track);
  }

  #forget({ id }: Track): void {
    this.#consuming.delete(id);
    this.#unseen.delete(id);
    this.#view.forget(id);
  }

  #tellAsked(producerId: string, layers: number): void {
    this.frame({ type: 'media_layers', data: { producerId, layers } });
  }

  async #settle(one: PeerConsumer, change: Promise<void>): Promise<void> {
    try {
      await change;
    } catch (error) {
      if (!one.consumer.closed) this.#options.log.warn({ err: error }, 'a consumer could not be changed');
    }
  }

  #connectionChanged(): void {
    if (this.#closed) return;
    const states = [this.send.state, this.receive.state];
    if (states.includes('lost')) this.#tellConnection('lost');
    else if (states.includes('connected') && !states.includes('away')) this.#tellConnection('connected');
  }

  #tellConnection(now: 'connected' | 'lost'): void {
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
