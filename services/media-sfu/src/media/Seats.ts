import type { UserId } from '@nolo/kit/ids';
import type { types } from 'mediasoup';
import type { Seat } from './Seat.ts';

export interface SeatWish {
  participantId: string;
  userId: UserId;
  dtlsParameters?: types.DtlsParameters | undefined;
  /** The client is connected to it. */
  takesSeat?: boolean | undefined;
}

/** The seats that are kept in a room, by participant. */
export class Seats {
  readonly #seats = new Map<string, Seat>();

  get size(): number {
    return this.#seats.size;
  }

  of(userId: UserId): Seat[] {
    return [...this.#seats.values()].filter((seat) => seat.userId === userId);
  }

  /** In place of one that was kept for the same participant. */
  add(seat: Seat): void {
    this.#seats.get(seat.id)?.close();
    this.#seats.set(seat.id, seat);
  }

  remove(seat: Seat): void {
    if (this.#seats.get(seat.id) === seat) this.#seats.delete(seat.id);
  }

  /** Whoever comes in gets the seat that is theirs, once. One that they do not want, or that is not theirs, is given up. */
  take({ participantId, userId, dtlsParameters, takesSeat }: SeatWish): Seat | undefined {
    const seat = this.#seats.get(participantId);
    if (!seat) return undefined;
    if (takesSeat !== true || !seat.isFor(userId, dtlsParameters)) {
      seat.close();
      return undefined;
    }
    this.#seats.delete(participantId);
    seat.leave();
    return seat;
  }

  closeAll(): void {
    for (const seat of this.#seats.values()) seat.close();
  }
}
