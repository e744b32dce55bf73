import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaSession } from '@nolo/proto/roomMedia';
import type { RoomServiceDefinition } from '@nolo/proto/rooms';
import { limits, mediaSources } from '@nolo/rules';
import { sendParticipantChange } from '../domain/outboundFrames.ts';
import type { Participant } from '../domain/participant.ts';
import { createMeetingsError, participantUnknown } from '../errors.ts';
import type { ClientMediaParameters } from '../live/RoomMedia.ts';
import type { Dependencies } from './dependencies.ts';
import { findOwnParticipant } from './lookUp.ts';
import { requireScreenShareAllowed } from './participants.ts';

/** Creates transports on one of the room's nodes and stores the node with the participant. */
export async function openMediaSession(
  { media, rooms, iceServers, log }: Dependencies,
  participant: Participant,
  client: ClientMediaParameters,
  maxParticipants: number,
): Promise<MediaSession> {
  const { node, reply } = await media.join(participant, client, maxParticipants);
  if (participant.nodeId !== '' && participant.nodeId !== node.nodeId) {
    // Tracks on the previous node would otherwise stay until its transports time out.
    const { roomId, id: participantId } = participant;
    // The node may be dead, so this does not wait.
    media
      .callIfReachable(participant, (client) => client.leave({ roomId, participantId }))
      .catch((error: unknown) => log.warn({ err: error }, 'notifying a media node of a departure failed'));
  }
  const carried = { ...participant, nodeId: node.nodeId };
  if (!(await rooms.patch(participant, { nodeId: node.nodeId, isMediaAway: false }))) {
    // The participant was removed before this node was known.
    const { roomId, id: participantId } = participant;
    await media.callIfReachable(carried, (node) => node.leave({ roomId, participantId }));
    throw participantUnknown();
  }
  return {
    nodeId: reply.nodeId,
    routerRtpCapabilitiesJson: reply.routerRtpCapabilitiesJson,
    sendTransportJson: reply.sendTransportJson,
    receiveTransportJson: reply.receiveTransportJson,
    consumersJson: reply.consumersJson,
    connected: reply.connected,
    iceServersJson: iceServers(participant.userId) || undefined,
  };
}

export function joinMedia(dependencies: Dependencies): RpcHandler<typeof RoomServiceDefinition.methods.joinMedia> {
  return async (request) => {
    const participant = await findOwnParticipant(dependencies, request);
    const maxParticipants = limits.meetingParticipantsMax;
    const session = await openMediaSession(dependencies, participant, request, maxParticipants);
    if (participant.isMediaAway === true) {
      await sendParticipantChange(dependencies, participant);
    }
    return session;
  };
}

export function connectTransport(
  dependencies: Dependencies,
): RpcHandler<typeof RoomServiceDefinition.methods.connectTransport> {
  return async ({ transportId, dtlsParametersJson, ...request }) => {
    const participant = await findOwnParticipant(dependencies, request);
    const { roomId, id: participantId } = participant;
    const client = await dependencies.media.of(participant);
    await client.connectTransport({ roomId, participantId, transportId, dtlsParametersJson });
    return {};
  };
}

export function restartIce(dependencies: Dependencies): RpcHandler<typeof RoomServiceDefinition.methods.restartIce> {
  return async ({ transportId, ...request }) => {
    const participant = await findOwnParticipant(dependencies, request);
    const { roomId, id: participantId } = participant;
    return (await dependencies.media.of(participant)).restartIce({ roomId, participantId, transportId });
  };
}

export function produce(dependencies: Dependencies): RpcHandler<typeof RoomServiceDefinition.methods.produce> {
  return async ({ kind, source, rtpParametersJson, paused, lines, ...request }) => {
    const participant = await findOwnParticipant(dependencies, request);
    if (!mediaSources.some((one) => one === source)) {
      throw createMeetingsError('invalid', 'action_refused', 'Unknown media source.');
    }
    if (source.startsWith('screen')) await requireScreenShareAllowed(dependencies, participant);
    const { roomId, id: participantId } = participant;
    const client = await dependencies.media.of(participant);
    return client.produce({ roomId, participantId, kind, source, rtpParametersJson, paused, lines });
  };
}

export function closeProducer(
  dependencies: Dependencies,
): RpcHandler<typeof RoomServiceDefinition.methods.closeProducer> {
  return async ({ producerId, ...request }) => {
    const participant = await findOwnParticipant(dependencies, request);
    const { roomId, id: participantId } = participant;
    await (await dependencies.media.of(participant)).closeProducer({ roomId, participantId, producerId });
    return {};
  };
}

export function setView(dependencies: Dependencies): RpcHandler<typeof RoomServiceDefinition.methods.setView> {
  return async ({ tiles, ...request }) => {
    const participant = await findOwnParticipant(dependencies, request);
    const { roomId, id: participantId } = participant;
    await (await dependencies.media.of(participant)).setView({ roomId, participantId, tiles });
    return {};
  };
}

export function resumeConsumers(
  dependencies: Dependencies,
): RpcHandler<typeof RoomServiceDefinition.methods.resumeConsumers> {
  return async ({ consumerIds, ...request }) => {
    const participant = await findOwnParticipant(dependencies, request);
    const { roomId, id: participantId } = participant;
    await (await dependencies.media.of(participant)).resumeConsumers({ roomId, participantId, consumerIds });
    return {};
  };
}

export function getPeerStats(
  dependencies: Dependencies,
): RpcHandler<typeof RoomServiceDefinition.methods.getPeerStats> {
  return async (request) => {
    const participant = await findOwnParticipant(dependencies, request);
    const { roomId, id: participantId } = participant;
    return (await dependencies.media.of(participant)).getPeerStats({ roomId, participantId });
  };
}
