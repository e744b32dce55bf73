import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceService } from '@nolo/proto/media';
import { parseId, parseRtpCapabilities } from '../domain/parameters.ts';
import type { Dependencies } from './dependencies.ts';

export function join({ rooms, self }: Dependencies): RpcHandler<typeof MediaServiceService.join> {
  return async (request) => {
    const { peer, consumers } = await rooms.join(parseId(request.roomId), {
      roomCode: parseId(request.roomCode),
      participantId: parseId(request.participantId),
      userId: parseId(request.userId),
      gatewayId: parseId(request.gatewayId),
      rtpCapabilities: parseRtpCapabilities(request.rtpCapabilitiesJson),
      maxParticipants: request.maxParticipants,
      otherNodes: request.otherNodes,
    });
    return {
      nodeId: self.nodeId,
      routerRtpCapabilitiesJson: JSON.stringify(peer.shard.router.rtpCapabilities),
      sendTransportJson: JSON.stringify(peer.send.options),
      receiveTransportJson: JSON.stringify(peer.receive.options),
      consumersJson: JSON.stringify(consumers),
    };
  };
}
