import type { ClientEventData, ClientEventName } from '@nolo/api';
import type { Clients } from '../../clients.ts';
import type { GatewayRateLimiter } from '../../http/rateLimiter.ts';
import type { GatewayMetrics } from '../../http/metrics.ts';
import type { Connection } from '../Connection.ts';
import type { ReceiptCursorBatcher } from '../receiptCursorBatcher.ts';
import type { ParticipantTracker } from '../participantTracker.ts';
import type { TypingTracker } from '../typing.ts';
import type { VisibleSessions } from '@nolo/kit/visibleSessions';

/** Dependencies of event handlers. */
export interface EventContext {
  readonly chat: Clients['chat'];
  readonly groups: Clients['groups'];
  /** HTTP's limits, shared so that sockets grant no extra requests. */
  readonly limits: GatewayRateLimiter;
  readonly identity: Clients['identity'];
  readonly rooms: Clients['rooms'];
  readonly calls: Clients['calls'];
  readonly typing: TypingTracker;
  /** Devices whose pages are being viewed. */
  readonly watches: VisibleSessions;
  readonly cursors: ReceiptCursorBatcher;
  readonly participants: ParticipantTracker;
  readonly metrics: GatewayMetrics;
  /** Address of frames for this socket's participants. */
  readonly replicaId: string;
}

/** Returns the data of the `ack`. An AppError becomes the `error` frame. */
export type EventHandler<N extends ClientEventName> = (
  connection: Connection,
  data: ClientEventData<N>,
  context: EventContext,
) => Promise<Record<string, unknown>>;
