import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceService } from '@nolo/proto/media';
import { parseKind, parseRtpParameters, parseSource } from '../domain/parameters.ts';
import type { Dependencies } from './dependencies.ts';

export function produce({ rooms }: Dependencies): RpcHandler<typeof MediaServiceService.produce> {
  return async (request) => {
    const peer = rooms.speakingPeer(request.roomId, request.participantId);
    const kind = parseKind(request.kind);
    const rtpParameters = parseRtpParameters(request.rtpParametersJson, kind);
    const producer = await peer.produce(parseSource(request.source), kind, rtpParameters, request.paused);
    return { producerId: producer.id };
  };
}
