import type { ClientEventData, ClientEventName } from '@nolo/api';
import type { CallsClient, ChatClient, GroupsClient, IdentityClient, RoomsClient } from '../../edge.ts';
import type { EdgeLimits } from '../../http/limits.ts';
import type { EdgeMetrics } from '../../http/metrics.ts';
import type { Connection } from '../Connection.ts';
import type { CursorGatherer } from '../cursors.ts';
import type { Participants } from '../participants.ts';
import type { Typing } from '../typing.ts';
import type { Watches } from '@nolo/kit/watches';

/** What events work with. */
export interface EventContext {
  readonly chat: ChatClient;
  readonly groups: GroupsClient;
  /** The same as over HTTP: what may be done there may be done here no oftener. */
  readonly limits: EdgeLimits;
  readonly identity: IdentityClient;
  readonly rooms: RoomsClient;
  readonly calls: CallsClient;
  readonly typing: Typing;
  /** Which devices somebody looks at. */
  readonly watches: Watches;
  readonly cursors: CursorGatherer;
  readonly participants: Participants;
  readonly metrics: EdgeMetrics;
  /** Where frames for this socket's participants go. */
  readonly replicaId: string;
}

/** Answers with the data of the `ack`; an AppError becomes the `error` frame. */
export type EventHandler<N extends ClientEventName> = (
  connection: Connection,
  data: ClientEventData<N>,
  context: EventContext,
) => Promise<Record<string, unknown>>;
