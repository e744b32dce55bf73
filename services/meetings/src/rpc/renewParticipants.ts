import type { RpcHandler } from '@nolo/kit/rpc';
import type { RoomServiceService } from '@nolo/proto/rooms';
import { isId } from '@nolo/kit/ids';
import { participantChanged } from '../domain/announce.ts';
import type { Dependencies } from './dependencies.ts';

export function renewParticipants({
  rooms,
  announce,
}: Dependencies): RpcHandler<typeof RoomServiceService.renewParticipants> {
  return async ({ gatewayId, participantIds, lostParticipantIds }) => {
    for (const participantId of lostParticipantIds.filter(isId)) {
      const found = await rooms.find(participantId);
      // Who came back by way of another gateway before this one noticed is not lost.
      if (!found || found.participant.gatewayId !== gatewayId) continue;
      const lost = await rooms.patch(participantId, { isReconnecting: true });
      if (lost && !found.waiting) announce(participantChanged(await rooms.inside(lost.roomId), lost));
    }
    const asked = participantIds.filter(isId);
    const known = await rooms.renew(asked);
    return { unknownParticipantIds: asked.filter((participantId) => !known.has(participantId)) };
  };
}
