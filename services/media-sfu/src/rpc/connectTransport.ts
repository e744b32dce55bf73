import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceService } from '@nolo/proto/media';
import { parseDtlsParameters } from '../domain/parameters.ts';
import type { Dependencies } from './dependencies.ts';

export function connectTransport({ rooms }: Dependencies): RpcHandler<typeof MediaServiceService.connectTransport> {
  return async ({ roomId, participantId, transportId, dtlsParametersJson }) => {
    const transport = rooms.speakingPeer(roomId, participantId).transport(transportId);
    await transport.connect(parseDtlsParameters(dtlsParametersJson));
    return {};
  };
}
