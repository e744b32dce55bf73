import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceDefinition } from '@nolo/proto/media';
import {
  parseDtlsParameters,
  parseMediaKind,
  parseShortSide,
  parseRtpParameters,
  parseMediaSource,
} from '../domain/parameters.ts';
import type { Dependencies } from './dependencies.ts';

export function connectTransport({
  rooms,
}: Dependencies): RpcHandler<typeof MediaServiceDefinition.methods.connectTransport> {
  return async ({ roomId, participantId, transportId, dtlsParametersJson }) => {
    const transport = rooms.speakingPeer(roomId, participantId).transport(transportId);
    await transport.connect(parseDtlsParameters(dtlsParametersJson));
    transport.expect();
    return {};
  };
}

export function restartIce({ rooms }: Dependencies): RpcHandler<typeof MediaServiceDefinition.methods.restartIce> {
  return async ({ roomId, participantId, transportId }) => {
    const transport = rooms.speakingPeer(roomId, participantId).transport(transportId);
    return { iceParametersJson: JSON.stringify(await transport.restartIce()) };
  };
}

export function produce({ rooms }: Dependencies): RpcHandler<typeof MediaServiceDefinition.methods.produce> {
  return async (request) => {
    const peer = rooms.speakingPeer(request.roomId, request.participantId);
    const kind = parseMediaKind(request.kind);
    const rtpParameters = parseRtpParameters(request.rtpParametersJson, kind);
    const lines = parseShortSide(request.lines);
    const producer = await peer.produce(parseMediaSource(request.source), kind, rtpParameters, request.paused, lines);
    return { producerId: producer.id };
  };
}

export function closeProducer({
  rooms,
}: Dependencies): RpcHandler<typeof MediaServiceDefinition.methods.closeProducer> {
  return async ({ roomId, participantId, producerId }) => {
    // Producers of other participants are not found here and stay open.
    await rooms.find(roomId)?.peers.get(participantId)?.closeProducer(producerId);
    return {};
  };
}

export function setPaused({ rooms }: Dependencies): RpcHandler<typeof MediaServiceDefinition.methods.setPaused> {
  return async ({ roomId, participantId, source, paused }) => {
    const wanted = parseMediaSource(source);
    await rooms.find(roomId)?.peers.get(participantId)?.setPaused(wanted, paused);
    return {};
  };
}

export function resumeConsumers({
  rooms,
}: Dependencies): RpcHandler<typeof MediaServiceDefinition.methods.resumeConsumers> {
  return async ({ roomId, participantId, consumerIds }) => {
    await rooms.speakingPeer(roomId, participantId).resumeConsumers(consumerIds);
    return {};
  };
}
