import { parseId, type MeetingId } from '@nolo/kit/ids';
import { defineCursor, idCursorField, clampPageSize } from '@nolo/kit/pages';
import type { ProofGuard } from '@nolo/kit/proof';
import type { RpcHandler, RpcHandlers } from '@nolo/kit/rpc';
import type { RoomAdminServiceDefinition } from '@nolo/proto/roomAdmin';
import type { Meeting } from '../domain/meeting.ts';
import { countPeople } from '../domain/roomCapacity.ts';
import { meetingNotFound, meetingOver } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

const defaultPageSize = 50;
const maxPageSize = 100;
/** Lower than every ID. */
const nobodyId = '00000000-0000-0000-0000-000000000000';
const place = defineCursor<{ id: MeetingId }>({ id: idCursorField() });

type Handler<Name extends keyof (typeof RoomAdminServiceDefinition)['methods']> = RpcHandler<
  (typeof RoomAdminServiceDefinition)['methods'][Name]
>;

/**
 * Handlers for operators' views of live rooms and actions on them.
 *
 * @param admit admits operators with fresh proof
 */
export function createRoomAdminHandlers(
  dependencies: Pick<Dependencies, 'meetings' | 'rooms' | 'live'>,
  admit: ProofGuard,
): RpcHandlers<typeof RoomAdminServiceDefinition> {
  return {
    listLiveRooms: listLiveRooms(dependencies, admit),
    endLiveRoom: endLiveRoom(dependencies, admit),
  };
}

function listLiveRooms(
  { meetings, rooms }: Pick<Dependencies, 'meetings' | 'rooms'>,
  admit: ProofGuard,
): Handler<'listLiveRooms'> {
  const factsOf = async ({ id, groupId, hostId, startedAt }: Meeting) => {
    const inside = await rooms.inside(id);
    return {
      id,
      kind: groupId === null ? 'meeting' : 'group',
      hostId,
      people: countPeople(inside),
      since: startedAt ?? undefined,
      nodeIds: [...new Set(inside.flatMap(({ nodeId }) => nodeId || []))],
    };
  };
  return async ({ actorId, sessionId, cursor, limit: requestedLimit }) => {
    await admit({ actorId, sessionId });
    const limit = clampPageSize(requestedLimit, defaultPageSize, maxPageSize);
    const found = await meetings.live(place.read(cursor)?.id ?? nobodyId, limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      rooms: await Promise.all(page.map(factsOf)),
      nextCursor: found.length > limit && last ? place.write({ id: last.id }) : undefined,
    };
  };
}

function endLiveRoom(
  { meetings, live }: Pick<Dependencies, 'meetings' | 'live'>,
  admit: ProofGuard,
): Handler<'endLiveRoom'> {
  return async ({ actorId, sessionId, roomId }) => {
    await admit({ actorId, sessionId });
    const id = parseId<MeetingId>(roomId);
    const meeting = id && (await meetings.find(id));
    if (!meeting) throw meetingNotFound();
    if (meeting.status !== 'live' || !(await live.close(meeting, 'completed', 'ended'))) throw meetingOver();
    return {};
  };
}
