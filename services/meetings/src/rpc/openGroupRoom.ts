import { newId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import { limits } from '@nolo/rules';
import { actorFrom } from '../domain/actor.ts';
import type { Meeting } from '../domain/meeting.ts';
import { failMeetings } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { groupOf, groupPart } from './groupRoom.ts';
import { meetingReply } from './replies.ts';

export function openGroupRoom(dependencies: Dependencies): RpcHandler<typeof MeetingServiceService.openGroupRoom> {
  const { meetings, allowanceOf, clock } = dependencies;

  const open = async (actorId: string, groupId: string, name: string): Promise<Meeting> => {
    const allowance = await allowanceOf(actorId);
    const now = clock.now();
    return meetings.create({
      id: newId(),
      // The group's own chat is the one beside it.
      conversationId: groupId,
      groupId,
      hostId: actorId,
      name,
      description: '',
      maxParticipants: Math.min(limits.meetingParticipantsMax, allowance.participants),
      scheduledAt: null,
      durationMinutes: 0,
      timeZone: '',
      recurrence: 'none',
      status: 'scheduled',
      closed: false,
      settings: {
        allowRecording: false,
        requireAuth: true,
        waitingRoom: false,
        allowScreenShare: true,
        muteOnEntry: false,
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
  };

  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const groupId = request.conversationId;
    const group = await groupOf(dependencies, groupId, actorId);
    if (!group) throw failMeetings('not_found', 'conversation_not_found', 'Conversation not found.');
    let meeting = await meetings.findOfGroup(groupId);
    if (!meeting) {
      // Two who begin at the same moment meet in the room of whoever was first.
      meeting = await open(actorId, groupId, group.meta?.name ?? '').catch(async (error: unknown) => {
        const raced = await meetings.findOfGroup(groupId);
        if (!raced) throw error;
        return raced;
      });
    }
    const part = groupPart(group, await meetings.part(meeting.id, actorId));
    await meetings.setPart(meeting.id, actorId, { role: part.role, admitted: true });
    return meetingReply(meeting, part);
  };
}
