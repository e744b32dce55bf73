import { routes } from '@nolo/api';
import { normalizeRoomCode } from '@nolo/rules';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { toParticipant, toRemovedPerson } from '../mapping/meetings.ts';
import { toMeetingRequest } from '../mapping/meetingComposer.ts';
import { toPageOfPeople } from './toPageOfPeople.ts';

/** Routes for hosts to manage participants who are in a meeting or waiting in its lobby. */
export function bindMeetingModeration(bind: BindRoute, context: Pick<GatewayContext, 'rooms' | 'identity'>): void {
  const { rooms } = context;

  bind(routes.listLobby, async ({ actor, params, rpc }) => {
    const { waiting } = await rooms.listLobby(toMeetingRequest(actor.userId, params.roomCode), rpc);
    return waiting.map(toParticipant);
  });

  bind(routes.listRemoved, async (routeCall) => {
    const { actor, params, query, rpc } = routeCall;
    const { actorId, roomCode } = toMeetingRequest(actor.userId, params.roomCode);
    const page = { actorId, roomCode, cursor: query.cursor, limit: query.limit };
    const { removed: rows, nextCursor } = await rooms.listRemoved(page, rpc);
    return toPageOfPeople(context, routeCall, { rows, nextCursor }, toRemovedPerson);
  });

  bind(routes.moderate, async ({ actor, params, body, rpc }) => {
    await rooms.moderate(
      {
        actorId: actor.userId,
        roomCode: normalizeRoomCode(params.roomCode),
        participantId: body.participantId,
        userId: body.userId,
        action: body.action,
      },
      rpc,
    );
  });
}
