import type { ReservedTransports } from '@nolo/api';
import { toMediaSession } from '../../../mapping/meetings.ts';
import type { EventHandler } from '../event.ts';
import { prefetchProfile, roomCodeOf } from './arriving.ts';

/** Mediasoup signaling. Meetings finds the node and checks that the participant belongs to the actor. */

export const mediaReserve: EventHandler<'media_reserve'> = async (connection, data, context) => {
  const { inviteToken, participantId, attemptId, dtlsParameters, rtpCapabilities } = data;
  const { userId: actorId, address } = connection;
  prefetchProfile(connection, context);
  const dtlsParametersJson = JSON.stringify(dtlsParameters);
  const rpcRequest = { actorId, address, roomCode: roomCodeOf(data), inviteToken, participantId, attemptId };
  const rtpCapabilitiesJson = rtpCapabilities && JSON.stringify(rtpCapabilities);
  const { media, goodForMs } = await context.rooms.reserve({ ...rpcRequest, dtlsParametersJson, rtpCapabilitiesJson });
  return { media: media ? toMediaSession(media) : null, goodForMs } satisfies ReservedTransports;
};

export const mediaJoin: EventHandler<'media_join'> = async (connection, data, { rooms }) => {
  const { participantId, rtpCapabilities, dtlsParameters } = data;
  const session = await rooms.joinMedia({
    actorId: connection.userId,
    participantId,
    rtpCapabilitiesJson: JSON.stringify(rtpCapabilities),
    dtlsParametersJson: dtlsParameters && JSON.stringify(dtlsParameters),
  });
  return toMediaSession(session);
};

export const mediaConnectTransport: EventHandler<'media_connect_transport'> = async (connection, data, { rooms }) => {
  const { participantId, transportId, dtlsParameters } = data;
  await rooms.connectTransport({
    actorId: connection.userId,
    participantId,
    transportId,
    dtlsParametersJson: JSON.stringify(dtlsParameters),
  });
  return {};
};

export const mediaRestartIce: EventHandler<'media_restart_ice'> = async (connection, data, { rooms }) => {
  const { participantId, transportId } = data;
  const { iceParametersJson } = await rooms.restartIce({ actorId: connection.userId, participantId, transportId });
  return { iceParameters: JSON.parse(iceParametersJson) as unknown };
};

export const mediaProduce: EventHandler<'media_produce'> = async (connection, data, { rooms }) => {
  const { participantId, kind, source, rtpParameters, paused, lines } = data;
  const { producerId } = await rooms.produce({
    actorId: connection.userId,
    participantId,
    kind,
    source,
    rtpParametersJson: JSON.stringify(rtpParameters),
    paused,
    lines,
  });
  return { producerId };
};

export const mediaCloseProducer: EventHandler<'media_close_producer'> = async (connection, data, { rooms }) => {
  const { participantId, producerId } = data;
  await rooms.closeProducer({ actorId: connection.userId, participantId, producerId });
  return {};
};

export const mediaResumeConsumers: EventHandler<'media_resume_consumers'> = async (connection, data, { rooms }) => {
  const { participantId, consumerIds } = data;
  await rooms.resumeConsumers({ actorId: connection.userId, participantId, consumerIds });
  return {};
};

export const mediaView: EventHandler<'media_view'> = async (connection, data, { rooms }) => {
  const { participantId, tiles } = data;
  await rooms.setView({ actorId: connection.userId, participantId, tiles });
  return {};
};
