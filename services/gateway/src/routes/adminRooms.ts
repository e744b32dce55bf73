import { nextCursorHeader, routes, type LiveRoom } from '@nolo/api';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { callerOf } from './callerOf.ts';
import { toIsoTime } from '../mapping/people.ts';

/** Routes for operators that list and end live rooms. Operators cannot join or listen through them. */
export function bindAdminRooms(
  bind: BindRoute,
  { operators, roomAdmin }: Pick<GatewayContext, 'operators' | 'roomAdmin'>,
): void {
  bind(routes.listLiveRooms, async ({ actor, query, rpc, response }) => {
    const page = await roomAdmin.listLiveRooms({ ...callerOf(actor), ...query }, rpc);
    if (page.nextCursor !== undefined) response.setHeader(nextCursorHeader, page.nextCursor);
    return page.rooms.map(({ id = '', kind, hostId = '', people = 0, since, nodeIds }) => ({
      id,
      kind: kind as LiveRoom['kind'],
      hostId,
      people,
      since: since ? toIsoTime(since) : null,
      nodeIds,
    }));
  });

  bind(routes.endLiveRoom, async ({ actor, params, body, rpc }) => {
    // Recorded first, so every action leaves a trace.
    const act = { action: 'room_ended', reason: body.reason, details: { room: params.id } };
    await operators.recordAct({ ...callerOf(actor), ...act }, rpc);
    await roomAdmin.endLiveRoom({ ...callerOf(actor), roomId: params.id }, rpc);
  });
}
