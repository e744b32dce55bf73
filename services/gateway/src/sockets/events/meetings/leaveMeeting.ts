import type { EventHandler } from '../event.ts';

export const leaveMeeting: EventHandler<'leave_meeting'> = async (connection, { participantId }, context) => {
  const { rooms, participants } = context;
  if (!participants.holds(connection, participantId)) return {};
  participants.leave(participantId);
  await rooms.leave({ actorId: connection.userId, participantId });
  return {};
};
