import type { ParticipantId, UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import type { types } from 'mediasoup';
import type { ClientConsumerOptions } from '../domain/messages.ts';
import { checkCapabilities, openConsumer } from './openConsumer.ts';
import { toClientConsumerOptions } from './PeerConsumer.ts';
import { PeerTransport, configureTransports, type PeerTransports, type TransportListener } from './PeerTransport.ts';
import type { Shard } from './Shard.ts';
import type { Track } from './Track.ts';

export interface PreparedTransportsOptions {
  id: ParticipantId;
  userId: UserId;
  dtlsParameters: types.DtlsParameters;
  /** Client's capabilities. If absent, no consumers are created. */
  rtpCapabilities?: types.RtpCapabilities | undefined;
  /** Tracks on its first page. */
  tracks: readonly Track[];
  shard: Shard;
  maxIncomingBitrate: number;
  lostAfterMs: number;
  pathWithinMs: number;
  goodForMs: number;
  searched: (found: boolean) => void;
  log: Log;
  /** Called if nobody used it. */
  closed: (preparedTransports: PreparedTransports) => void;
}

/**
 * Transports prepared for someone who may join at once: both connected, plus paused consumers that carry nothing and
 * cause no demand (docs/adr/0032). Nobody in the room is notified. Released when its time is up or its client
 * disconnects.
 */
export class PreparedTransports implements PeerTransports {
  readonly id: ParticipantId;
  readonly userId: UserId;
  readonly shard: Shard;
  readonly goodForMs: number;
  readonly reservedAt = performance.now();
  readonly send: PeerTransport;
  readonly receive: PeerTransport;
  readonly #options: PreparedTransportsOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #prepared: { track: Track; consumer: types.Consumer }[] = [];
  #over = false;

  private constructor(options: PreparedTransportsOptions, send: types.WebRtcTransport, receive: types.WebRtcTransport) {
    this.#options = options;
    this.id = options.id;
    this.userId = options.userId;
    this.shard = options.shard;
    this.goodForMs = options.goodForMs;
    const listener = {
      lostAfterMs: options.lostAfterMs,
      pathWithinMs: options.pathWithinMs,
      changed: () => this.#changed(),
      searched: options.searched,
      orphaned: () => this.close(),
    };
    this.send = new PeerTransport(send, listener);
    this.receive = new PeerTransport(receive, listener);
    this.#timer = setTimeout(() => this.close(), options.goodForMs);
  }

  static async open(options: PreparedTransportsOptions): Promise<PreparedTransports> {
    if (options.rtpCapabilities) checkCapabilities(options.rtpCapabilities, options.shard);
    const { send, receive } = await options.shard.openTransports();
    const preparedTransports = new PreparedTransports(options, send, receive);
    try {
      await Promise.all([configureTransports(preparedTransports, options), preparedTransports.#prepare()]);
    } catch (error) {
      preparedTransports.close();
      throw error;
    }
    for (const one of [preparedTransports.send, preparedTransports.receive]) one.expect();
    return preparedTransports;
  }

  get consumers(): ClientConsumerOptions[] {
    const open = this.#prepared.filter(({ consumer }) => !consumer.closed);
    return open.map(({ consumer, track }) => toClientConsumerOptions(consumer, track));
  }

  /** Returns the consumer created for a track, if it still exists. */
  consumerOf(track: Track): types.Consumer | undefined {
    return this.#prepared.find(({ track: of, consumer }) => of === track && !consumer.closed)?.consumer;
  }

  /** True if it was prepared for this user and browser. */
  isFor(userId: UserId, dtlsParameters: types.DtlsParameters | undefined): boolean {
    const { userId: own, dtlsParameters: known } = this.#options;
    return own === userId && JSON.stringify(known) === JSON.stringify(dtlsParameters);
  }

  /** Stops the timer, because the user has joined. */
  leave(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }

  /** Hands the transports to another listener. */
  handTo(listener: TransportListener): PeerTransports {
    for (const one of [this.send, this.receive]) one.handTo(listener);
    return this;
  }

  discard(): void {
    this.send.close();
    this.receive.close();
  }

  close(): void {
    if (this.#over) return;
    this.leave();
    this.discard();
    this.#options.closed(this);
  }

  async #prepare(): Promise<void> {
    const { rtpCapabilities, shard, tracks, log } = this.#options;
    if (!rtpCapabilities) return;
    const { transport } = this.receive;
    const open = async (track: Track): Promise<void> => {
      try {
        const consumer = await openConsumer(track, shard, transport, rtpCapabilities);
        if (consumer) this.#prepared.push({ track, consumer });
      } catch (error) {
        // Joining requests the track again, and nothing needs it until then.
        log.warn({ err: error }, 'preparing a track for a pre-join page failed');
      }
    };
    await Promise.all(tracks.map(open));
  }

  #changed(): void {
    const states = [this.send.state, this.receive.state];
    // Closing is harmless: without it the client gets other transports.
    if (states.includes('away') || states.includes('lost')) this.close();
  }
}
