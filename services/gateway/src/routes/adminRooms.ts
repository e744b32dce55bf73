import { nextCursorHeader, routes, type LiveRoom } from '@nolo/api';
import type { Edge } from '../edge.ts';
import type { Bind } from '../http/bind.ts';
import { asking } from './asking.ts';
import { isoTime } from './mapPeople.ts';

/** Routes for operators that list and end live rooms. Operators cannot join or listen through them. */
export function bindAdminRooms(bind: Bind, { operators, roomAdmin }: Edge): void {
  bind(routes.listLiveRooms, async ({ actor, query, rpc, response }) => {
    const page = await roomAdmin.listLiveRooms({ ...asking(actor), ...query }, rpc);
    if (page.nextCursor !== undefined) response.setHeader(nextCursorHeader, page.nextCursor);
    return page.rooms.map(({ id = '', kind, hostId = '', people = 0, since, nodeIds }) => ({
      id,
      kind: kind as LiveRoom['kind'],
      hostId,
      people,
      since: since ? isoTime(since) : null,
      nodeIds,
    }));
  });

  bind(routes.endLiveRoom, async ({ actor, params, body, rpc }) => {
    // Recorded first, so every action leaves a trace.
    const act = { action: 'room_ended', reason: body.reason, details: { room: params.id } };
    await operators.recordAct({ ...asking(actor), ...act }, rpc);
    await roomAdmin.endLiveRoom({ ...asking(actor), roomId: params.id }, rpc);
  });
}
