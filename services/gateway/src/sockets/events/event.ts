import type { ClientEventData, ClientEventName } from '@nolo/api';
import type { ChatClient } from '../../edge.ts';
import type { Connection } from '../Connection.ts';
import type { Typing } from '../typing.ts';

/** What events work with. */
export interface EventContext {
  readonly chat: ChatClient;
  readonly typing: Typing;
}

/** Answers with the data of the `ack`; an AppError becomes the `error` frame. */
export type EventHandler<N extends ClientEventName> = (
  connection: Connection,
  data: ClientEventData<N>,
  context: EventContext,
) => Promise<Record<string, unknown>>;
