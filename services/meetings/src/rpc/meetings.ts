import { parseActorId, newId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import { requireSwitchedOn } from '@nolo/installation/settings';
import type { MeetingServiceDefinition } from '@nolo/proto/meetings';
import { isMeetingNotStarted, limits } from '@nolo/rules';
import { parseRoomCode } from '../domain/actor.ts';
import { readCursor, writeCursor } from '../domain/cursor.ts';
import {
  parseMeetingDescription,
  parseMeetingMinutes,
  parseMeetingName,
  parseMaxParticipants,
  parseRecurrence,
  parseScheduledAt,
} from '../domain/meetingInput.ts';
import type { Meeting } from '../domain/meeting.ts';
import { firstDateAfterChange } from '../domain/recurrence.ts';
import { findPlanHolder, applyPlan } from '../domain/hostPlan.ts';
import { countPeople } from '../domain/roomCapacity.ts';
import { createMeetingsError, meetingInvalid, meetingNotFound, meetingOver, notHost } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUpMeeting, lookUpHostedMeeting } from './lookUp.ts';
import { createPreJoinReply, loadMeetingReply, toMeetingReply, loadPresence } from './replies.ts';

export function createMeeting(
  dependencies: Dependencies,
): RpcHandler<typeof MeetingServiceDefinition.methods.createMeeting> {
  const { meetings, allowanceOf, clock, installation } = dependencies;
  return async (request) => {
    requireSwitchedOn(installation, 'meetings');
    const hostId = parseActorId(request.actorId);
    const now = clock.now();
    const scheduledAt = parseScheduledAt(request.scheduledAt, now);
    const requestedParticipants = parseMaxParticipants(request.maxParticipants);
    const allowance = await allowanceOf(hostId);
    if ((await meetings.countHostedBy(hostId)) >= limits.meetingsPerUser) {
      throw createMeetingsError(
        'conflict',
        'too_many_meetings',
        `An account can have at most ${limits.meetingsPerUser} meetings.`,
      );
    }
    const meeting = await meetings.create({
      id: newId(),
      conversationId: newId(),
      groupId: null,
      hostId,
      name: parseMeetingName(request.name),
      description: parseMeetingDescription(request.description),
      requestedParticipants,
      ...applyPlan({ requestedParticipants }, allowance),
      scheduledAt,
      durationMinutes: parseMeetingMinutes(request.durationMinutes),
      ...parseRecurrence(request.recurrence, request.timeZone ?? '', scheduledAt),
      status: scheduledAt ? 'scheduled' : 'created',
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
      startedAt: null,
      startedBy: null,
      endedAt: null,
      endsAt: null,
      createdAt: now,
      updatedAt: now,
    });
    return await createPreJoinReply(dependencies, meeting, { role: 'host', admitted: true, removed: false });
  };
}

/** Returns the capacity for a host's request: what the plan allows, but never less than is in use. */
async function requestedCapacity(
  { rooms, allowanceOf }: Pick<Dependencies, 'rooms' | 'allowanceOf'>,
  meeting: Meeting,
  requested: number | undefined,
): Promise<Partial<Pick<Meeting, 'maxParticipants' | 'requestedParticipants'>>> {
  if (requested === undefined) return {};
  const requestedParticipants = parseMaxParticipants(requested);
  const { participants } = await allowanceOf(findPlanHolder(meeting));
  // A meeting in progress keeps its initial capacity.
  const maxAllowed = meeting.status === 'live' ? Math.max(participants, meeting.maxParticipants) : participants;
  const maxParticipants = Math.min(requestedParticipants, maxAllowed);
  const inside = countPeople(await rooms.inside(meeting.id));
  if (maxParticipants < inside) {
    throw meetingInvalid('maxParticipants', `There are already ${inside} people in the meeting.`);
  }
  return { maxParticipants, requestedParticipants };
}

export function updateMeeting(
  dependencies: Dependencies,
): RpcHandler<typeof MeetingServiceDefinition.methods.updateMeeting> {
  const { meetings, live, clock } = dependencies;
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const { meeting, membership } = await lookUpHostedMeeting(dependencies, parseRoomCode(request.roomCode), actorId);
    if (meeting.closed) throw meetingOver();
    const now = clock.now();
    if (request.scheduledAt && meeting.status === 'live') {
      throw meetingInvalid('scheduledAt', 'A meeting that has started cannot be rescheduled.');
    }
    const scheduledAt = request.scheduledAt ? parseScheduledAt(request.scheduledAt, now) : undefined;
    const repeats =
      request.recurrence !== undefined || request.timeZone !== undefined
        ? parseRecurrence(
            request.recurrence ?? meeting.recurrence,
            request.timeZone ?? meeting.timeZone,
            scheduledAt ?? meeting.scheduledAt,
          )
        : {};
    const capacity = await requestedCapacity(dependencies, meeting, request.maxParticipants);
    const settings = request.settings && {
      allowRecording: request.settings.allowRecording,
      requireAuth: request.settings.requireAuth,
      waitingRoom: request.settings.waitingRoom,
      allowScreenShare: request.settings.allowScreenShare,
      muteOnEntry: request.settings.muteOnEntry,
    };
    if (request.isRecording === true) {
      throw createMeetingsError(
        'forbidden',
        'recording_refused',
        'A recording must be started by the participant who records.',
      );
    }
    const changed = await meetings.change(
      meeting.id,
      {
        name: request.name === undefined ? undefined : parseMeetingName(request.name),
        description: request.description === undefined ? undefined : parseMeetingDescription(request.description),
        ...capacity,
        scheduledAt,
        firstAt: firstDateAfterChange(meeting, { scheduledAt, ...repeats }),
        durationMinutes:
          request.durationMinutes === undefined ? undefined : parseMeetingMinutes(request.durationMinutes),
        ...repeats,
        settings,
        locked: request.locked,
        // Forbidding recording ends it.
        recorderId: settings?.allowRecording === false || request.isRecording === false ? null : undefined,
      },
      now,
    );
    if (!changed) throw meetingOver();
    await live.broadcastMeetingChanged(changed);
    return loadMeetingReply(dependencies, changed, membership);
  };
}

export function cancelMeeting(
  dependencies: Dependencies,
): RpcHandler<typeof MeetingServiceDefinition.methods.cancelMeeting> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const { meeting, membership } = await lookUpHostedMeeting(dependencies, parseRoomCode(request.roomCode), actorId);
    if (membership.role !== 'host') throw notHost();
    if (!isMeetingNotStarted(meeting.status)) throw meetingOver();
    const closed = await dependencies.live.close(meeting, 'cancelled', 'cancelled');
    if (!closed) throw meetingOver();
    return toMeetingReply(closed, membership);
  };
}

export function endMeeting(dependencies: Dependencies): RpcHandler<typeof MeetingServiceDefinition.methods.endMeeting> {
  const { meetings, live } = dependencies;
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const { meeting, membership } = await lookUpHostedMeeting(dependencies, parseRoomCode(request.roomCode), actorId);
    const closed = (await live.close(meeting, 'completed', 'ended')) ?? (await meetings.find(meeting.id));
    if (!closed) throw meetingNotFound();
    return loadMeetingReply(dependencies, closed, membership);
  };
}

export function getMeeting(dependencies: Dependencies): RpcHandler<typeof MeetingServiceDefinition.methods.getMeeting> {
  return async (request) => {
    const who = { actorId: parseActorId(request.actorId), address: request.address };
    const { meeting, membership } = await lookUpMeeting(dependencies, parseRoomCode(request.roomCode), who);
    return loadMeetingReply(dependencies, meeting, membership);
  };
}

const defaultPageSize = 50;
const filters = ['live', 'scheduled', 'past'] as const;

export function listMeetings(
  dependencies: Dependencies,
): RpcHandler<typeof MeetingServiceDefinition.methods.listMeetings> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const limit = clampPageSize(request.limit, defaultPageSize, limits.meetingsPerPage);
    // Queries one row more than requested to detect a next page.
    const rows = await dependencies.meetings.list(actorId, {
      status: filters.find((one) => one === request.filter),
      place: readCursor(request.cursor),
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    const presence = await loadPresence(
      dependencies,
      page.map(({ meeting }) => meeting),
    );
    const last = page.at(-1);
    return {
      meetings: page.map(({ meeting, membership }) =>
        toMeetingReply(meeting, membership, { presence: presence.get(meeting.id) }),
      ),
      nextCursor: last && rows.length > limit ? writeCursor(last.place) : undefined,
    };
  };
}

export function getMediaCapabilities({
  media,
}: Dependencies): RpcHandler<typeof MeetingServiceDefinition.methods.getMediaCapabilities> {
  return async () => ({ rtpCapabilitiesJson: media.rtpCapabilitiesJson() });
}
