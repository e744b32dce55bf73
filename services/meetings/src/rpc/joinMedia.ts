import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaSession, RoomServiceService } from '@nolo/proto/rooms';
import { limits } from '@nolo/rules';
import { participantChanged } from '../domain/announce.ts';
import type { Participant } from '../domain/participant.ts';
import type { Dependencies } from './dependencies.ts';
import { ownParticipant } from './lookUp.ts';

/** Transports for a participant, on a node of the room, which is remembered as the participant's. */
export async function mediaSession(
  { media, rooms, iceServers, log }: Dependencies,
  participant: Participant,
  rtpCapabilitiesJson: string,
  most: number,
): Promise<MediaSession> {
  const { node, reply } = await media.join(participant, rtpCapabilitiesJson, most);
  if (participant.nodeId !== '' && participant.nodeId !== node.nodeId) {
    // Where it was carried before, its tracks would stay until the transports are given up.
    const { roomId, id: participantId } = participant;
    // The node may be dead, and nobody waits for it to find that out.
    media
      .tell(participant, (client) => client.leave({ roomId, participantId }))
      .catch((error: unknown) => log.warn({ err: error }, 'a media node was not told that somebody left'));
  }
  await rooms.patch(participant.id, { nodeId: node.nodeId, isMediaAway: false });
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
    const most = limits.meetingParticipantsMax;
    const session = await mediaSession(dependencies, participant, request.rtpCapabilitiesJson, most);
    if (participant.isMediaAway === true) {
      const { rooms, announce } = dependencies;
      announce(participantChanged(await rooms.inside(participant.roomId), { ...participant, isMediaAway: false }));
    }
    return session;
  };
}
