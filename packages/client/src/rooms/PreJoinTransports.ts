import type { MediaSession, ReservedTransports } from '@nolo/api';
import type { Timers } from '../ports.ts';
import type { SocketConnection } from '../socket/socketRequests.ts';
import type { MediaDevice, PreparedLink } from './ports.ts';

export interface PreJoinTransportsOptions {
  socket: SocketConnection;
  timers: Timers;
  device(): Promise<MediaDevice>;
  roomCode: string;
  inviteToken: string | undefined;
  /** Participant id to continue as. */
  participantId: string | undefined;
}

/** Milliseconds before expiry at which it is dropped, because the node may already have released it. */
const spareMs = 2_000;
/** Milliseconds until the next request, after one that brought nothing or failed. */
const retryAfterMs = 20_000;

/**
 * Prepares transports while the user is on the pre-join page, with the expected consumers set up, so that joining only
 * needs admission. They carry nothing and nobody sees them. Without them, joining takes longer but works the same.
 */
export class PreJoinTransports {
  /** Join attempt for which the transports are prepared. */
  readonly attemptId = crypto.randomUUID();
  readonly #options: PreJoinTransportsOptions;
  #kept: { session: MediaSession; link: PreparedLink } | undefined;
  #isAsking = false;
  /** Earliest time of the next request. */
  #nextAt = 0;
  #isClaimed = false;
  #closed = false;
  #cancelEnd = () => {};

  constructor(options: PreJoinTransportsOptions) {
    this.#options = options;
  }

  /**
   * Called right before joining. Keeps the prepared transports from expiring, and returns their node and the consumers
   * that may start immediately.
   */
  claim(): { preparedNodeId: string; readyConsumerIds: string[] } | undefined {
    this.#isClaimed = this.#kept !== undefined;
    this.#cancelEnd();
    if (!this.#kept) return undefined;
    const { session, link } = this.#kept;
    return { preparedNodeId: session.nodeId, readyConsumerIds: [...link.readyConsumerIds] };
  }

  /** Prepares transports unless there are some. They last for a minute, and are prepared again if the user stays. */
  async warm(): Promise<void> {
    const { socket, roomCode, inviteToken, participantId } = this.#options;
    const now = this.#options.timers.now();
    if (this.#kept || this.#isAsking || this.#closed || now < this.#nextAt || !socket.isOpen) return;
    this.#isAsking = true;
    this.#nextAt = now + retryAfterMs;
    try {
      const device = await this.#options.device();
      const { dtlsParameters, rtpCapabilities } = device;
      if (!dtlsParameters) return;
      const reserveRequest = {
        roomCode,
        attemptId: this.attemptId,
        dtlsParameters,
        rtpCapabilities,
        ...(inviteToken !== undefined && { inviteToken }),
        ...(participantId !== undefined && { participantId }),
      };
      const { media, goodForMs } = await socket.request<'media_reserve', ReservedTransports>(
        'media_reserve',
        reserveRequest,
      );
      if (media) this.#keep(device, media, goodForMs);
    } catch {
      // Joining reports the error.
    } finally {
      this.#isAsking = false;
    }
  }

  /** Called after joining. Returns the prepared transports if the session uses them. Otherwise closes them. */
  take(session: MediaSession): PreparedLink | undefined {
    const kept = this.#kept;
    this.#closed = true;
    this.#cancelEnd();
    this.#kept = undefined;
    const isOurs =
      kept?.session.sendTransport.id === session.sendTransport.id &&
      kept.session.receiveTransport.id === session.receiveTransport.id;
    if (isOurs) return kept.link;
    kept?.link.close();
    return undefined;
  }

  close(): void {
    this.#closed = true;
    this.#drop();
  }

  #keep(device: MediaDevice, session: MediaSession, goodForMs: number): void {
    // The user has joined or left meanwhile.
    if (this.#closed) return;
    const link = device.warm(session, () => {
      // The room repairs it while the user is joining.
      if (this.#kept?.link === link && !this.#isClaimed) this.#drop();
    });
    this.#kept = { session, link };
    this.#cancelEnd = this.#options.timers.after(goodForMs - spareMs, () => this.#drop());
  }

  #drop(): void {
    this.#cancelEnd();
    this.#kept?.link.close();
    this.#kept = undefined;
  }
}
