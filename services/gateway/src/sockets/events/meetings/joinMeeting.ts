import { createGatewayError } from '../../../errors.ts';
import { toJoinedMeeting } from '../../../mapping/meetings.ts';
import type { EventHandler } from '../event.ts';
import { loadOwnProfile, roomCodeOf } from './arriving.ts';

/** Bounds the memory that one socket can use. Exceeds the number of rooms anyone is in at once. */
const maxRoomsPerSocket = 4;

/** Exceeds the time that meetings waits for a media node. Each participant of a large room is a stream to prepare. */
const enterTimeoutMs = 15_000;

/** Returns everything needed: the participants, the transports, and a consumer for every producer. */
export const joinMeeting: EventHandler<'join_meeting'> = async (connection, data, context) => {
  const { rooms, participants, replicaId } = context;
  const { userId, guestOf, address } = connection;
  const goesOn = data.participantId !== undefined && participants.holds(connection, data.participantId);
  if (!goesOn && participants.countOf(connection) >= maxRoomsPerSocket) {
    throw createGatewayError('rate_limited', 'too_many_joined', 'Leave a meeting before joining another.');
  }
  const self = await loadOwnProfile(connection, context);
  const request = {
    actorId: userId,
    roomCode: roomCodeOf(data),
    inviteToken: data.inviteToken,
    gatewayId: replicaId,
    rtpCapabilitiesJson: data.rtpCapabilities ? JSON.stringify(data.rtpCapabilities) : undefined,
    dtlsParametersJson: data.dtlsParameters && JSON.stringify(data.dtlsParameters),
    preparedNodeId: data.preparedNodeId,
    readyConsumerIds: data.readyConsumerIds ?? [],
    muted: data.audio === false,
    video: data.video === true,
    participantId: data.participantId,
    attemptId: data.attemptId,
    address,
    name: self?.displayName ?? '',
    profileImageUrl: self?.profileImageUrl ?? undefined,
    guestMeetingId: guestOf,
  };
  return participants.whileEntering(connection, async () => {
    const reply = await rooms.enter(request, { timeoutMs: enterTimeoutMs });
    const { participant } = reply;
    if (!participant) throw createGatewayError('not_found', 'route_not_found', 'Meeting not found.');
    participants.enter({
      connection,
      participantId: participant.id,
      roomCode: data.roomCode,
      roomScope: reply.state === 'joined' ? `meeting:${reply.roomId}` : undefined,
    });
    // If the socket closed meanwhile, nothing else would report the participant as lost.
    if (connection.readyState !== connection.OPEN) participants.lose(connection);
    return toJoinedMeeting(reply, participant);
  });
};
