import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaSession, RoomServiceService } from '@nolo/proto/rooms';
import { limits } from '@nolo/rules';
import type { Participant } from '../domain/participant.ts';
import type { Dependencies } from './dependencies.ts';
import { ownParticipant } from './lookUp.ts';

/** Transports for a participant, on a node of the room, which is remembered as the participant's. */
export async function mediaSession(
  { media, rooms, iceServers }: Dependencies,
  participant: Participant,
  rtpCapabilitiesJson: string,
  most: number,
): Promise<MediaSession> {
  const { node, reply } = await media.join(participant, rtpCapabilitiesJson, most);
  if (participant.nodeId !== '' && participant.nodeId !== node.nodeId) {
    // Where it was carried before, its tracks would stay until the transports are given up.
    const { roomId, id: participantId } = participant;
    await media.tell(participant, (client) => client.leave({ roomId, participantId }));
  }
  await rooms.patch(participant.id, { nodeId: node.nodeId });
  return {
    nodeId: reply.nodeId,
    routerRtpCapabilitiesJson: reply.routerRtpCapabilitiesJson,
    sendTransportJson: reply.sendTransportJson,
    receiveTransportJson: reply.receiveTransportJson,
    consumersJson: reply.consumersJson,
    iceServersJson: iceServers(participant.userId),
  };
}

export function joinMedia(dependencies: Dependencies): RpcHandler<typeof RoomServiceService.joinMedia> {
  return async (request) => {
    const participant = await ownParticipant(dependencies, request);
    return mediaSession(dependencies, participant, request.rtpCapabilitiesJson, limits.meetingParticipantsMax);
  };
}
