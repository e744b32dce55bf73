import type { MediaSession, ReservedSeat } from '@nolo/api';
import type { Timers } from '../../../api/ports.ts';
import type { SocketLine } from '../../../api/socketRequests.ts';
import type { MediaDevice, WarmLink } from './ports.ts';

export interface DoorSeatOptions {
  line: SocketLine;
  timers: Timers;
  device(): Promise<MediaDevice>;
  roomCode: string;
  inviteToken: string | undefined;
  /** As whom one would go on. */
  participantId: string | undefined;
}

/** It is not gone to at the last moment, when the node may have given it up. */
const spareMs = 2_000;
/** Where nothing was kept, or came of it, it is asked for again only then. */
const retryAfterMs = 20_000;

/**
 * Transports that connect while somebody looks at themselves at the door, with what there is to see set up on them, so
 * that coming in needs no more than to be let in. They carry nothing and nobody sees them; where there are none, coming in
 * takes longer and is the same.
 */
export class DoorSeat {
  /** Names the way in, for which the transports are kept. */
  readonly attemptId = crypto.randomUUID();
  readonly #options: DoorSeatOptions;
  #kept: { session: MediaSession; link: WarmLink } | undefined;
  #isAsking = false;
  /** Not before then again. */
  #nextAt = 0;
  #isClaimed = false;
  #closed = false;
  #cancelEnd = () => {};

  constructor(options: DoorSeatOptions) {
    this.#options = options;
  }

  /** One is about to come in: where they are kept, not to be given up any more, and what may come over them at once. */
  claim(): { seatNodeId: string; readyConsumerIds: string[] } | undefined {
    this.#isClaimed = this.#kept !== undefined;
    this.#cancelEnd();
    if (!this.#kept) return undefined;
    const { session, link } = this.#kept;
    return { seatNodeId: session.nodeId, readyConsumerIds: [...link.readyConsumerIds] };
  }

  /** Has them kept, where that is not so already: for a minute, and again for who stays. */
  async warm(): Promise<void> {
    const { line, roomCode, inviteToken, participantId } = this.#options;
    const now = this.#options.timers.now();
    if (this.#kept || this.#isAsking || this.#closed || now < this.#nextAt || !line.isOpen) return;
    this.#isAsking = true;
    this.#nextAt = now + retryAfterMs;
    try {
      const device = await this.#options.device();
      const { dtlsParameters, rtpCapabilities } = device;
      if (!dtlsParameters) return;
      const wish = {
        roomCode,
        attemptId: this.attemptId,
        dtlsParameters,
        rtpCapabilities,
        ...(inviteToken !== undefined && { inviteToken }),
        ...(participantId !== undefined && { participantId }),
      };
      const { media, goodForMs } = await line.request<'media_reserve', ReservedSeat>('media_reserve', wish);
      if (media) this.#keep(device, media, goodForMs);
    } catch {
      // Coming in says what is wrong.
    } finally {
      this.#isAsking = false;
    }
  }

  /** One has come in: the transports, if it is these that one was given. Whatever else was kept is not needed any more. */
  take(session: MediaSession): WarmLink | undefined {
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
    // Somebody has come in meanwhile, or left.
    if (this.#closed) return;
    const link = device.warm(session, () => {
      // Once one is on the way in, the room mends it.
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
