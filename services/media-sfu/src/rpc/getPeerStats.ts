import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceService } from '@nolo/proto/media';
import { samplePeer } from '../media/peerStats.ts';
import type { Dependencies } from './dependencies.ts';

export function getPeerStats({ rooms }: Dependencies): RpcHandler<typeof MediaServiceService.getPeerStats> {
  return ({ roomId, participantId }) => samplePeer(rooms.peer(roomId, participantId));
}
