import { toQuality } from '../../../routes/mapMeetings.ts';
import type { EventHandler } from '../event.ts';

/** The client says how its transports are, and learns how well it is served. */
export const sfuConnectionUpdate: EventHandler<'sfu_connection_update'> = async (connection, data, context) => {
  const { rooms, metrics } = context;
  metrics.mediaStates.inc({ state: data.state });
  return toQuality(await rooms.getQuality({ actorId: connection.userId, participantId: data.participantId }));
};
