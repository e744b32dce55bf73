import { newId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import { limits } from '@nolo/rules';
import { actorFrom } from '../domain/actor.ts';
import {
  descriptionFrom,
  maximumFrom,
  minutesFrom,
  nameFrom,
  recurrenceFrom,
  scheduleFrom,
} from '../domain/meetingInput.ts';
import { failMeetings } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { meetingReply } from './replies.ts';

export function createMeeting({
  meetings,
  allowanceOf,
  clock,
}: Dependencies): RpcHandler<typeof MeetingServiceService.createMeeting> {
  return async (request) => {
    const hostId = actorFrom(request.actorId);
    const now = clock.now();
    const scheduledAt = scheduleFrom(request.scheduledAt, now);
    const allowance = await allowanceOf(hostId);
    if ((await meetings.countHostedBy(hostId)) >= limits.meetingsPerUser) {
      throw failMeetings(
        'conflict',
        'plan_limit',
        `${limits.meetingsPerUser} meetings are the most that one account has.`,
      );
    }
    const meeting = await meetings.create({
      id: newId(),
      conversationId: newId(),
      groupId: null,
      hostId,
      name: nameFrom(request.name),
      description: descriptionFrom(request.description),
      maxParticipants: maximumFrom(request.maxParticipants, allowance),
      scheduledAt,
      durationMinutes: minutesFrom(request.durationMinutes),
      ...recurrenceFrom(request.recurrence, request.timeZone, scheduledAt),
      status: 'scheduled',
      closed: false,
      settings: {
        allowRecording: request.settings?.allowRecording ?? false,
        requireAuth: request.settings?.requireAuth ?? true,
        waitingRoom: request.settings?.waitingRoom ?? false,
        allowScreenShare: request.settings?.allowScreenShare ?? true,
        muteOnEntry: request.settings?.muteOnEntry ?? false,
      },
      locked: false,
      recorderId: null,
      inviteHash: null,
      planMinutes: allowance.minutes,
      startedAt: null,
      startedBy: null,
      endedAt: null,
      endsAt: null,
      createdAt: now,
      updatedAt: now,
    });
    return meetingReply(meeting, { role: 'host', admitted: true, removed: false });
  };
}
