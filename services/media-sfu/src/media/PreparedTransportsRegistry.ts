import type { UserId } from '@nolo/kit/ids';
import type { types } from 'mediasoup';
import type { PreparedTransports } from './PreparedTransports.ts';

export interface PreparedTransportsClaim {
  participantId: string;
  userId: UserId;
  dtlsParameters?: types.DtlsParameters | undefined;
  /** True if the client is connected to the prepared transports. */
  takesPreparedTransports?: boolean | undefined;
}

/** Prepared transports of a room, by participant. */
export class PreparedTransportsRegistry {
  readonly #byParticipant = new Map<string, PreparedTransports>();

  get size(): number {
    return this.#byParticipant.size;
  }

  of(userId: UserId): PreparedTransports[] {
    return [...this.#byParticipant.values()].filter((preparedTransports) => preparedTransports.userId === userId);
  }

  /** Adds prepared transports, replacing those of the same participant. */
  add(preparedTransports: PreparedTransports): void {
    this.#byParticipant.get(preparedTransports.id)?.close();
    this.#byParticipant.set(preparedTransports.id, preparedTransports);
  }

  remove(preparedTransports: PreparedTransports): void {
    if (this.#byParticipant.get(preparedTransports.id) === preparedTransports)
      this.#byParticipant.delete(preparedTransports.id);
  }

  /**
   * Returns a user's own prepared transports, once. Discards them if the user does not want them or they are not
   * theirs.
   */
  take({
    participantId,
    userId,
    dtlsParameters,
    takesPreparedTransports,
  }: PreparedTransportsClaim): PreparedTransports | undefined {
    const preparedTransports = this.#byParticipant.get(participantId);
    if (!preparedTransports) return undefined;
    if (takesPreparedTransports !== true || !preparedTransports.isFor(userId, dtlsParameters)) {
      preparedTransports.close();
      return undefined;
    }
    this.#byParticipant.delete(participantId);
    preparedTransports.leave();
    return preparedTransports;
  }

  closeAll(): void {
    for (const preparedTransports of this.#byParticipant.values()) preparedTransports.close();
  }
}
