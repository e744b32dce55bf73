import type { ClientEventData, ClientEventName } from '@nolo/api';
import type { CallsClient, ChatClient, GroupsClient, IdentityClient, RoomsClient } from '../../gatewayContext.ts';
import type { GatewayLimits } from '../../http/limits.ts';
import type { GatewayMetrics } from '../../http/metrics.ts';
import type { Connection } from '../Connection.ts';
import type { CursorGatherer } from '../cursors.ts';
import type { Participants } from '../participants.ts';
import type { TypingTracker } from '../typing.ts';
import type { SessionWatches } from '@nolo/kit/watches';

/** Dependencies of event handlers. */
export interface EventContext {
  readonly chat: ChatClient;
  readonly groups: GroupsClient;
  /** HTTP's limits, shared so that sockets grant no extra requests. */
  readonly limits: GatewayLimits;
  readonly identity: IdentityClient;
  readonly rooms: RoomsClient;
  readonly calls: CallsClient;
  readonly typing: TypingTracker;
  /** Devices whose pages are being viewed. */
  readonly watches: SessionWatches;
  readonly cursors: CursorGatherer;
  readonly participants: Participants;
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
