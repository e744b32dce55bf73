import type { EventHandler } from '../event.ts';

export const meetingReaction: EventHandler<'meeting_reaction'> = async (connection, data, { rooms }) => {
  const { participantId, reaction } = data;
  await rooms.react({ actorId: connection.userId, participantId, reaction });
  return {};
};
