import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import { limits } from '@nolo/rules';
import { actorFrom } from '../domain/actor.ts';
import { pageSize, readCursor, writeCursor } from '../domain/cursor.ts';
import type { Dependencies } from './dependencies.ts';
import { meetingReply, presenceOf } from './replies.ts';

const usualPage = 50;
const filters = ['live', 'scheduled', 'past'] as const;

export function listMeetings(dependencies: Dependencies): RpcHandler<typeof MeetingServiceService.listMeetings> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const limit = pageSize(request.limit, usualPage, limits.meetingsPerPage);
    // One more than asked for tells whether there is a next page.
    const rows = await dependencies.meetings.list(actorId, {
      status: filters.find((one) => one === request.filter),
      place: readCursor(request.cursor),
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    const presence = await presenceOf(
      dependencies,
      page.map(({ meeting }) => meeting),
    );
    const last = page.at(-1);
    return {
      meetings: page.map(({ meeting, part }) => meetingReply(meeting, part, presence.get(meeting.id))),
      nextCursor: last && rows.length > limit ? writeCursor(last.place) : '',
    };
  };
}
