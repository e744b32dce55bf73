import { routes } from '@nolo/api';
import { normalizeRoomCode } from '@nolo/rules';
import type { Edge } from '../edge.ts';
import type { Bind } from '../http/bind.ts';
import { tellNextPage } from '../http/nextPage.ts';
import { toParticipant, toRemovedPerson } from './mapMeetings.ts';
import { findPeople } from './people.ts';
import { namedMeeting } from './meetingComposer.ts';

/** Routes for hosts to manage participants who are in a meeting or waiting in its lobby. */
export function bindMeetingModeration(bind: Bind, edge: Edge): void {
  const { rooms } = edge;

  bind(routes.listLobby, async ({ actor, params, rpc }) => {
    const { waiting } = await rooms.listLobby(namedMeeting(actor.userId, params.roomCode), rpc);
    return waiting.map(toParticipant);
  });

  bind(routes.listRemoved, async ({ actor, params, query, rpc, response }) => {
    const { actorId, roomCode } = namedMeeting(actor.userId, params.roomCode);
    const asked = { actorId, roomCode, cursor: query.cursor, limit: query.limit };
    const { removed, nextCursor } = await rooms.listRemoved(asked, rpc);
    tellNextPage(response, nextCursor);
    const ids = removed.map(({ userId }) => userId);
    const people = await findPeople(edge, actorId, ids, rpc);
    return removed.map((row) => toRemovedPerson(row, people));
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
