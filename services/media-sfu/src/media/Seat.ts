import type { ParticipantId, UserId } from '@nolo/kit/ids';
import type { types } from 'mediasoup';
import { PeerTransport, prepareTransports, type PeerTransports, type TransportListener } from './PeerTransport.ts';
import type { Shard } from './Shard.ts';

export interface SeatOptions {
  id: ParticipantId;
  userId: UserId;
  dtlsParameters: types.DtlsParameters;
  shard: Shard;
  maxIncomingBitrate: number;
  lostAfterMs: number;
  pathWithinMs: number;
  goodForMs: number;
  searched: (found: boolean) => void;
  /** Nobody came to it. */
  closed: (seat: Seat) => void;
}

/**
 * What is kept ready for somebody who is at the door and may come straight in: both transports, connected and without
 * anything on them. Nobody in the room knows of it. It is given up when its time is over or its client goes.
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
    const { send, receive } = await options.shard.openTransports();
    const seat = new Seat(options, send, receive);
    try {
      await prepareTransports(seat, options);
    } catch (error) {
      seat.close();
      throw error;
    }
    for (const one of [seat.send, seat.receive]) one.expect();
    return seat;
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

  #changed(): void {
    const states = [this.send.state, this.receive.state];
    // Nobody misses it: who comes in without it gets other transports.
    if (states.includes('away') || states.includes('lost')) this.close();
  }
}
