import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import { actorFrom, codeFrom } from '../domain/actor.ts';
import {
  descriptionFrom,
  maximumFrom,
  minutesFrom,
  nameFrom,
  recurrenceFrom,
  scheduleFrom,
} from '../domain/meetingInput.ts';
import { peopleAmong } from '../domain/seats.ts';
import { failMeetings, meetingInvalid, meetingOver } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUpAsHost } from './lookUp.ts';
import { fullReply } from './replies.ts';

export function updateMeeting(dependencies: Dependencies): RpcHandler<typeof MeetingServiceService.updateMeeting> {
  const { meetings, rooms, live, allowanceOf, clock } = dependencies;
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const { meeting, part } = await lookUpAsHost(dependencies, codeFrom(request.roomCode), actorId);
    if (meeting.closed) throw meetingOver();
    const now = clock.now();
    if (request.scheduledAt && meeting.status === 'live') {
      throw meetingInvalid('scheduledAt', 'A meeting that has begun cannot be moved.');
    }
    const scheduledAt = request.scheduledAt ? scheduleFrom(request.scheduledAt, now) : undefined;
    const repeats =
      request.recurrence !== undefined || request.timeZone !== undefined
        ? recurrenceFrom(
            request.recurrence ?? meeting.recurrence,
            request.timeZone ?? meeting.timeZone,
            scheduledAt ?? meeting.scheduledAt,
          )
        : {};
    let maxParticipants: number | undefined;
    if (request.maxParticipants !== undefined) {
      maxParticipants = maximumFrom(request.maxParticipants, await allowanceOf(meeting.hostId));
      const inside = peopleAmong(await rooms.inside(meeting.id));
      if (maxParticipants < inside) {
        throw meetingInvalid('maxParticipants', `${inside} people are in the meeting already.`);
      }
    }
    const settings = request.settings && {
      allowRecording: request.settings.allowRecording,
      requireAuth: request.settings.requireAuth,
      waitingRoom: request.settings.waitingRoom,
      allowScreenShare: request.settings.allowScreenShare,
      muteOnEntry: request.settings.muteOnEntry,
    };
    if (request.isRecording === true) {
      throw failMeetings('forbidden', 'recording_refused', 'A recording is begun by the participant who makes it.');
    }
    const changed = await meetings.change(
      meeting.id,
      {
        name: request.name === undefined ? undefined : nameFrom(request.name),
        description: request.description === undefined ? undefined : descriptionFrom(request.description),
        maxParticipants,
        scheduledAt,
        durationMinutes: request.durationMinutes === undefined ? undefined : minutesFrom(request.durationMinutes),
        ...repeats,
        settings,
        locked: request.locked,
        // Where recording is no longer allowed, it ends.
        recorderId: settings?.allowRecording === false || request.isRecording === false ? null : undefined,
      },
      now,
    );
    if (!changed) throw meetingOver();
    await live.tellChange(changed);
    return fullReply(dependencies, changed, part);
  };
}
