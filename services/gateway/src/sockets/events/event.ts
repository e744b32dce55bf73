import type { ClientEventData, ClientEventName } from '@nolo/api';
import type { CallsClient, ChatClient, GroupsClient, IdentityClient, RoomsClient } from '../../gatewayContext.ts';
import type { GatewayRateLimiter } from '../../http/rateLimiter.ts';
import type { GatewayMetrics } from '../../http/metrics.ts';
import type { Connection } from '../Connection.ts';
import type { ReceiptCursorBatcher } from '../receiptCursorBatcher.ts';
import type { ParticipantTracker } from '../participantTracker.ts';
import type { TypingTracker } from '../typing.ts';
import type { VisibleSessions } from '@nolo/kit/visibleSessions';

/** Dependencies of event handlers. */
export interface EventContext {
  readonly chat: ChatClient;
  readonly groups: GroupsClient;
  /** HTTP's limits, shared so that sockets grant no extra requests. */
  readonly limits: GatewayRateLimiter;
  readonly identity: IdentityClient;
  readonly rooms: RoomsClient;
  readonly calls: CallsClient;
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
