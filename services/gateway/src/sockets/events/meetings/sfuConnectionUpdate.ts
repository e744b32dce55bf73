import { toMediaQuality } from '../../../mapping/meetings.ts';
import type { EventHandler } from '../event.ts';

/** Receives the state of the client's transports and returns its connection quality. */
export const sfuConnectionUpdate: EventHandler<'sfu_connection_update'> = async (connection, data, context) => {
  const { rooms, metrics } = context;
  metrics.mediaStates.inc({ state: data.state });
  return toMediaQuality(await rooms.getPeerStats({ actorId: connection.userId, participantId: data.participantId }));
};
