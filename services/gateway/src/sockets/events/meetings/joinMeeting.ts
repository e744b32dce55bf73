import { isCallId, normalizeRoomCode } from '@nolo/rules';
import { failGateway } from '../../../errors.ts';
import { toJoinedMeeting } from '../../../routes/mapMeetings.ts';
import { toUser } from '../../../routes/mapPeople.ts';
import type { EventHandler } from '../event.ts';

/** More than anyone is in at once; it bounds what a socket can make us remember. */
const mostRooms = 4;

/** Everybody in a large room is a stream to prepare; longer than meetings waits for a media node. */
const enterTimeoutMs = 15_000;

/** The answer has everything: who is there, the transports, and a consumer for all that is sent. */
export const joinMeeting: EventHandler<'join_meeting'> = async (connection, data, context) => {
  const { rooms, identity, participants, replicaId } = context;
  const { userId, guest, guestOf, address } = connection;
  const goesOn = data.participantId !== undefined && participants.holds(connection, data.participantId);
  if (!goesOn && participants.countOf(connection) >= mostRooms) {
    throw failGateway('rate_limited', 'too_many_joined', 'Leave a meeting before joining another.');
  }
  // What the others see; a guest's name is known to meetings.
  const { users } = guest ? { users: [] } : await identity.getUsers({ actorId: userId, userIds: [userId] });
  const self = users[0] && toUser(users[0]);
  const request = {
    actorId: userId,
    roomCode: isCallId(data.roomCode) ? data.roomCode : normalizeRoomCode(data.roomCode),
    inviteToken: data.inviteToken,
    gatewayId: replicaId,
    rtpCapabilitiesJson: data.rtpCapabilities ? JSON.stringify(data.rtpCapabilities) : undefined,
    dtlsParametersJson: data.dtlsParameters && JSON.stringify(data.dtlsParameters),
    muted: data.audio === false,
    video: data.video === true,
    participantId: data.participantId,
    attemptId: data.attemptId,
    address,
    name: self?.displayName ?? '',
    profileImageUrl: self?.profileImageUrl ?? undefined,
    guestMeetingId: guestOf,
  };
  const reply = await rooms.enter(request, { timeoutMs: enterTimeoutMs });
  const { participant } = reply;
  if (!participant) throw failGateway('not_found', 'route_not_found', 'Meeting not found.');
  const joined = reply.state === 'joined';
  participants.enter({
    connection,
    participantId: participant.id,
    roomCode: data.roomCode,
    roomScope: joined ? `meeting:${reply.roomId}` : undefined,
  });
  // The socket may have closed meanwhile, and then nobody would say that the participant is lost.
  if (connection.readyState !== connection.OPEN) participants.lose(connection);
  return toJoinedMeeting(reply, participant);
};
