import type { RpcHandler } from '@nolo/kit/rpc';
import type { RoomServiceService } from '@nolo/proto/rooms';
import { limits } from '@nolo/rules';
import { actorFrom, codeFrom } from '../domain/actor.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUpAsHost } from './lookUp.ts';
import { participantReply } from './replies.ts';

export function listLobby(dependencies: Dependencies): RpcHandler<typeof RoomServiceService.listLobby> {
  return async (request) => {
    const { meeting } = await lookUpAsHost(dependencies, codeFrom(request.roomCode), actorFrom(request.actorId));
    const waiting = await dependencies.rooms.waiting(meeting.id);
    return { waiting: waiting.slice(0, limits.lobbySize).map(participantReply) };
  };
}
