import type { ParticipantId, UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import type { types } from 'mediasoup';
import type { ConsumerOptions } from '../domain/messages.ts';
import { checkCapabilities, openConsumer } from './openConsumer.ts';
import { consumerOptions } from './PeerConsumer.ts';
import { PeerTransport, prepareTransports, type PeerTransports, type TransportListener } from './PeerTransport.ts';
import type { Shard } from './Shard.ts';
import type { Track } from './Track.ts';

export interface SeatOptions {
  id: ParticipantId;
  userId: UserId;
  dtlsParameters: types.DtlsParameters;
  /** Of the client; without them no consumers are made. */
  rtpCapabilities?: types.RtpCapabilities | undefined;
  /** What its first page shows. */
  tracks: readonly Track[];
  shard: Shard;
  maxIncomingBitrate: number;
  lostAfterMs: number;
  pathWithinMs: number;
  goodForMs: number;
  searched: (found: boolean) => void;
  log: Log;
  /** Nobody came to it. */
  closed: (seat: Seat) => void;
}

/**
 * What is kept ready for somebody who is at the door and may come straight in: both transports, connected, and paused
 * consumers, over which nothing goes and for which nobody is asked to send (docs/adr/0032). Nobody in the room knows of
 * it. It is given up when its time is over or its client goes.
 */
export class Seat implements PeerTransports {
  readonly id: ParticipantId;
  readonly userId: UserId;
  readonly shard: Shard;
  readonly goodForMs: number;
  readonly reservedAt = performance.now();
  readonly send: PeerTransport;
  readonly receive: PeerTransport;
  readonly #options: SeatOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #prepared: { track: Track; consumer: types.Consumer }[] = [];
  #over = false;

  private constructor(options: SeatOptions, send: types.WebRtcTransport, receive: types.WebRtcTransport) {
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

  static async open(options: SeatOptions): Promise<Seat> {
    if (options.rtpCapabilities) checkCapabilities(options.rtpCapabilities, options.shard);
    const { send, receive } = await options.shard.openTransports();
    const seat = new Seat(options, send, receive);
    try {
      await Promise.all([prepareTransports(seat, options), seat.#prepare()]);
    } catch (error) {
      seat.close();
      throw error;
    }
    for (const one of [seat.send, seat.receive]) one.expect();
    return seat;
  }

  get consumers(): ConsumerOptions[] {
    const open = this.#prepared.filter(({ consumer }) => !consumer.closed);
    return open.map(({ consumer, track }) => consumerOptions(consumer, track));
  }

  /** The one that was made for a track, if it is still there. */
  consumerOf(track: Track): types.Consumer | undefined {
    return this.#prepared.find(({ track: of, consumer }) => of === track && !consumer.closed)?.consumer;
  }

  /** Whether somebody who comes in is who it is kept for, with the same browser. */
  isFor(userId: UserId, dtlsParameters: types.DtlsParameters | undefined): boolean {
    const { userId: own, dtlsParameters: known } = this.#options;
    return own === userId && JSON.stringify(known) === JSON.stringify(dtlsParameters);
  }

  /** Somebody has come to it: its time does not count any more. */
  leave(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }

  /** The transports are looked after by somebody else from now on. */
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
        // It is asked for once more by whoever comes in, and missed by nobody until then.
        log.warn({ err: error }, 'a track could not be made ready at the door');
      }
    };
    await Promise.all(tracks.map(open));
  }

  #changed(): void {
    const states = [this.send.state, this.receive.state];
    // Nobody misses it: who comes in without it gets other transports.
    if (states.includes('away') || states.includes('lost')) this.close();
  }
}
