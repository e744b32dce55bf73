import type { UserId } from '@nolo/kit/ids';
import type { types } from 'mediasoup';
import type { Seat } from './Seat.ts';

export interface SeatWish {
  participantId: string;
  userId: UserId;
  dtlsParameters?: types.DtlsParameters | undefined;
  /** True if the client is connected to the prepared transports. */
  takesSeat?: boolean | undefined;
}

/** Prepared transports of a room, by participant. */
export class Seats {
  readonly #seats = new Map<string, Seat>();

  get size(): number {
    return this.#seats.size;
  }

  of(userId: UserId): Seat[] {
    return [...this.#seats.values()].filter((seat) => seat.userId === userId);
  }

  /** Adds prepared transports, replacing those of the same participant. */
  add(seat: Seat): void {
    this.#seats.get(seat.id)?.close();
    this.#seats.set(seat.id, seat);
  }

  remove(seat: Seat): void {
    if (this.#seats.get(seat.id) === seat) this.#seats.delete(seat.id);
  }

  /**
   * Returns a user's own prepared transports, once. Discards them if the user does not want them or they are not
   * theirs.
   */
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
