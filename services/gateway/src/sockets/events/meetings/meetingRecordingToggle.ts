import type { EventHandler } from '../event.ts';

export const meetingRecordingToggle: EventHandler<'meeting_recording_toggle'> = async (connection, data, { rooms }) => {
  const { participantId, enabled } = data;
  await rooms.setRecording({ actorId: connection.userId, participantId, enabled });
  return {};
};
