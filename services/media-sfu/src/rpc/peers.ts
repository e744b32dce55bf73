import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceDefinition } from '@nolo/proto/media';
import { parseDtlsParameters, parseMediaId, parseRtpCapabilities, parseVisibleTiles } from '../domain/parameters.ts';
import { samplePeer } from '../media/peerStats.ts';
import type { Dependencies } from './dependencies.ts';

export function join({ rooms, self }: Dependencies): RpcHandler<typeof MediaServiceDefinition.methods.join> {
  return async (request) => {
    const { dtlsParametersJson } = request;
    const { peer, consumers } = await rooms.join(parseMediaId(request.roomId), {
      roomCode: parseMediaId(request.roomCode),
      participantId: parseMediaId(request.participantId),
      userId: parseMediaId(request.userId),
      gatewayId: parseMediaId(request.gatewayId),
      rtpCapabilities: parseRtpCapabilities(request.rtpCapabilitiesJson),
      dtlsParameters: dtlsParametersJson === undefined ? undefined : parseDtlsParameters(dtlsParametersJson),
      takesPreparedTransports: request.takesPrepared,
      readyConsumerIds: request.readyConsumerIds,
      maxParticipants: request.maxParticipants,
      otherNodes: request.otherNodes,
    });
    return {
      nodeId: self.nodeId,
      routerRtpCapabilitiesJson: JSON.stringify(peer.shard.router.rtpCapabilities),
      sendTransportJson: JSON.stringify(peer.send.options),
      receiveTransportJson: JSON.stringify(peer.receive.options),
      consumersJson: JSON.stringify(consumers),
      connected: dtlsParametersJson !== undefined,
    };
  };
}

export function reserve({ rooms, self }: Dependencies): RpcHandler<typeof MediaServiceDefinition.methods.reserve> {
  return async (request) => {
    const { rtpCapabilitiesJson } = request;
    const preparedTransports = await rooms.reserve(parseMediaId(request.roomId), {
      id: parseMediaId(request.participantId),
      userId: parseMediaId(request.userId),
      dtlsParameters: parseDtlsParameters(request.dtlsParametersJson),
      rtpCapabilities: rtpCapabilitiesJson === undefined ? undefined : parseRtpCapabilities(rtpCapabilitiesJson),
    });
    return {
      nodeId: self.nodeId,
      routerRtpCapabilitiesJson: JSON.stringify(preparedTransports.shard.router.rtpCapabilities),
      sendTransportJson: JSON.stringify(preparedTransports.send.options),
      receiveTransportJson: JSON.stringify(preparedTransports.receive.options),
      goodForMs: preparedTransports.goodForMs,
      consumersJson: JSON.stringify(preparedTransports.consumers),
    };
  };
}

export function leave({ rooms }: Dependencies): RpcHandler<typeof MediaServiceDefinition.methods.leave> {
  return async ({ roomId, participantId }) => {
    rooms.find(roomId)?.leave(participantId);
    return {};
  };
}

export function moveSocket({ rooms }: Dependencies): RpcHandler<typeof MediaServiceDefinition.methods.moveSocket> {
  return async ({ roomId, participantId, gatewayId }) => {
    rooms.peer(roomId, participantId).moveTo(parseMediaId(gatewayId));
    return {};
  };
}

export function setView({ rooms }: Dependencies): RpcHandler<typeof MediaServiceDefinition.methods.setView> {
  return async ({ roomId, participantId, tiles }) => {
    await rooms.speakingPeer(roomId, participantId).setView(parseVisibleTiles(tiles));
    return {};
  };
}

export function getPeerStats({ rooms }: Dependencies): RpcHandler<typeof MediaServiceDefinition.methods.getPeerStats> {
  return ({ roomId, participantId }) => samplePeer(rooms.peer(roomId, participantId));
}
