import type { RpcHandler } from '@nolo/kit/rpc';
import type { RoomServiceService } from '@nolo/proto/rooms';
import { participantFrom } from '../domain/actor.ts';
import { belongsTo } from '../live/Rooms.ts';
import type { Dependencies } from './dependencies.ts';

export function leave({ rooms, live }: Dependencies): RpcHandler<typeof RoomServiceService.leave> {
  return async (request) => {
    const found = await rooms.find(participantFrom(request.participantId));
    if (found && belongsTo(found.participant, request.actorId)) await live.remove(found.participant.id, 'left');
    return {};
  };
}
