import { limits, meetingRecurrences, moderationActions } from '@nolo/rules';
import * as z from 'zod/mini';
import * as m from './meetingSchemas.ts';
import { limitUpTo, cursor, trimmedText } from './parameters.ts';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';

const roomCode = z.string().check(z.trim(), z.minLength(1), z.maxLength(20));
const codeParams = z.object({ roomCode });
const joinParams = z.object({ code: roomCode });
const people = z.int().check(z.minimum(limits.meetingParticipantsMin), z.maximum(limits.meetingParticipantsMax));
const minutes = z.int().check(z.minimum(0), z.maximum(limits.meetingMinutesMax));
const timeZone = z.string().check(z.maxLength(64));
const inviteToken = z.string().check(z.maxLength(100));
const settings = z.object({
  allowRecording: z.optional(z.boolean()),
  requireAuth: z.optional(z.boolean()),
  waitingRoom: z.optional(z.boolean()),
  allowScreenShare: z.optional(z.boolean()),
  muteOnEntry: z.optional(z.boolean()),
  /** Appears twice in the payload of spec section 7. Refused if the two differ (decision 21). */
  maxParticipants: z.optional(people),
});

/** Meetings (spec sections 5 and 7; decisions 9, 20, 21 and 23). */
export const meetingRoutes = {
  createMeeting: defineRoute({
    method: 'POST',
    path: '/api/meetings/create',
    access: 'session',
    scope: 'meetings:write',
    tag: 'meetings',
    status: 201,
    summary: 'Create a meeting; the server makes its room code',
    body: z.object({
      name: trimmedText(1, limits.meetingNameLength),
      description: z.optional(z.string().check(z.maxLength(limits.meetingDescriptionLength))),
      maxParticipants: z.optional(people),
      isRecording: z.optional(z.boolean()),
      scheduledAt: z.optional(z.nullable(s.time)),
      duration: z.optional(minutes),
      timeZone: z.optional(timeZone),
      recurrence: z.optional(z.enum(meetingRecurrences)),
      settings: z.optional(settings),
    }),
    reply: m.meeting,
    limit: 'meetingCreatesPerUserDay',
    errors: ['meeting_invalid', 'too_many_meetings', 'switched_off'],
  }),
  listMeetings: defineRoute({
    method: 'GET',
    path: '/api/meetings',
    access: 'session',
    scope: 'meetings:read',
    tag: 'meetings',
    summary:
      'List the meetings you hosted or attended: live ones, then those not started, then past ones. A meeting without a time is not scheduled: its status is `created`, and only the list without `status` includes it',
    query: z.object({
      status: z.optional(z.enum(['live', 'scheduled', 'past'])),
      cursor: z.optional(cursor),
      limit: z.optional(limitUpTo(limits.meetingsPerPage)),
    }),
    reply: z.array(m.meeting),
    errors: ['cursor_invalid'],
  }),
  joinMeeting: defineRoute({
    method: 'POST',
    path: '/api/meetings/join/{code}',
    access: 'public',
    tag: 'meetings',
    summary: 'Check whether a code admits you; the room itself is entered over the socket',
    params: joinParams,
    body: z.object({ inviteToken: z.optional(inviteToken) }),
    reply: z.object({
      /** `enter`, `wait` for admission, or `guest`: requires a name first. */
      access: z.enum(['enter', 'wait', 'guest']),
      name: z.string(),
      roomCode: z.string(),
      status: m.meeting.shape.status,
      /**
       * True if too many codes are being tried right now: the answer is then the same for every code, right or wrong,
       * and `name` is empty.
       */
      guarded: z.boolean(),
      /** Lets people know before they enter a recorded meeting. */
      isRecording: z.boolean(),
      /** Brand shown on the pre-join page. */
      brand: z.nullable(m.brand),
    }),
    errors: ['meeting_not_found', 'meeting_over', 'meeting_locked', 'removed', 'room_full', 'sign_in_required'],
  }),
  getMediaCapabilities: defineRoute({
    method: 'GET',
    path: '/api/media/capabilities',
    access: 'public',
    tag: 'meetings',
    summary: 'Get what the media nodes send and receive, so that a client can prepare before it joins',
    reply: z.object({ rtpCapabilities: m.rtpCapabilities }),
    errors: ['media_unavailable'],
  }),
  getMeeting: defineRoute({
    method: 'GET',
    path: '/api/meetings/{roomCode}',
    access: 'session',
    scope: 'meetings:read',
    tag: 'meetings',
    summary: 'Get a meeting by its room code',
    params: codeParams,
    reply: m.meeting,
    errors: ['meeting_not_found'],
  }),
  updateMeeting: defineRoute({
    method: 'PATCH',
    path: '/api/meetings/{roomCode}',
    access: 'session',
    scope: 'meetings:write',
    tag: 'meetings',
    summary: 'Change a meeting, lock it, or end its recording; host and co-hosts',
    params: codeParams,
    body: z.object({
      name: z.optional(trimmedText(1, limits.meetingNameLength)),
      description: z.optional(z.string().check(z.maxLength(limits.meetingDescriptionLength))),
      maxParticipants: z.optional(people),
      scheduledAt: z.optional(s.time),
      duration: z.optional(minutes),
      timeZone: z.optional(timeZone),
      recurrence: z.optional(z.enum(meetingRecurrences)),
      settings: z.optional(settings),
      locked: z.optional(z.boolean()),
      /** Ends a recording, regardless of who records. `meeting_recording_toggle` starts one. */
      isRecording: z.optional(z.literal(false)),
    }),
    reply: m.meeting,
    limit: 'meetingChangesPerUser',
    errors: ['meeting_not_found', 'not_host', 'meeting_invalid', 'meeting_over'],
  }),
  cancelMeeting: defineRoute({
    method: 'DELETE',
    path: '/api/meetings/{roomCode}',
    access: 'session',
    scope: 'meetings:write',
    tag: 'meetings',
    summary: 'Cancel a meeting that has not started; host only',
    params: codeParams,
    reply: m.meeting,
    limit: 'meetingChangesPerUser',
    errors: ['meeting_not_found', 'not_host', 'meeting_over'],
  }),
  endMeeting: defineRoute({
    method: 'POST',
    path: '/api/meetings/{roomCode}/end',
    access: 'session',
    scope: 'meetings:write',
    tag: 'meetings',
    summary: 'End a meeting for everyone; host and co-hosts',
    params: codeParams,
    reply: m.meeting,
    limit: 'meetingChangesPerUser',
    errors: ['meeting_not_found', 'not_host'],
  }),
  getMeetingCalendar: defineRoute({
    method: 'GET',
    path: '/api/meetings/{roomCode}/calendar',
    access: 'session',
    scope: 'meetings:read',
    tag: 'meetings',
    summary: 'Download the meeting as a calendar file (RFC 5545)',
    params: codeParams,
    errors: ['meeting_not_found'],
  }),
  createInvite: defineRoute({
    method: 'POST',
    path: '/api/meetings/{roomCode}/invite',
    access: 'session',
    scope: 'meetings:write',
    tag: 'meetings',
    status: 201,
    summary: 'Create an invite link that admits directly, replacing the previous one; host and co-hosts',
    params: codeParams,
    reply: z.object({ url: z.string() }),
    limit: 'meetingChangesPerUser',
    errors: ['meeting_not_found', 'not_host'],
  }),
  revokeInvite: defineRoute({
    method: 'DELETE',
    path: '/api/meetings/{roomCode}/invite',
    access: 'session',
    scope: 'meetings:write',
    tag: 'meetings',
    status: 204,
    summary: 'Revoke the invite link; host and co-hosts',
    params: codeParams,
    limit: 'meetingChangesPerUser',
    errors: ['meeting_not_found', 'not_host'],
  }),
  rotateRoomCode: defineRoute({
    method: 'POST',
    path: '/api/meetings/{roomCode}/code',
    access: 'session',
    scope: 'meetings:write',
    tag: 'meetings',
    summary: 'Give a meeting a new room code, with or without an expiry; host and co-hosts',
    params: codeParams,
    body: z.optional(z.object({ expiresAt: z.optional(s.time) })),
    reply: m.meeting,
    limit: 'meetingChangesPerUser',
    errors: ['meeting_not_found', 'not_host', 'meeting_over', 'meeting_invalid'],
  }),
  expireRoomCode: defineRoute({
    method: 'DELETE',
    path: '/api/meetings/{roomCode}/code',
    access: 'session',
    scope: 'meetings:write',
    tag: 'meetings',
    summary:
      'Expire the room code, so that it admits nobody new. Hosts, and people who were in the meeting, can still refer to it by that code; host and co-hosts',
    params: codeParams,
    reply: m.meeting,
    limit: 'meetingChangesPerUser',
    errors: ['meeting_not_found', 'not_host', 'meeting_over'],
  }),
  listLobby: defineRoute({
    method: 'GET',
    path: '/api/meetings/{roomCode}/lobby',
    access: 'session',
    scope: 'meetings:read',
    tag: 'meetings',
    summary: 'List who is waiting to be admitted; host and co-hosts',
    params: codeParams,
    reply: z.array(m.participant),
    errors: ['meeting_not_found', 'not_host'],
  }),
  listRemoved: defineRoute({
    method: 'GET',
    path: '/api/meetings/{roomCode}/removed',
    access: 'session',
    scope: 'meetings:read',
    tag: 'meetings',
    summary: 'List who was removed and not readmitted, latest first; host and co-hosts',
    params: codeParams,
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(limitUpTo(limits.removedPerPage)) }),
    reply: z.array(m.removedPerson),
    errors: ['meeting_not_found', 'not_host', 'cursor_invalid'],
  }),
  moderate: defineRoute({
    method: 'POST',
    path: '/api/meetings/{roomCode}/moderation',
    access: 'session',
    scope: 'meetings:write',
    tag: 'meetings',
    status: 204,
    summary:
      'Decide about a person in the room or its lobby; host and co-hosts. A removed person stays out of the meeting and its conversation until `readmit`, which takes the `userId` of an account and may be repeated',
    params: codeParams,
    body: z.object({
      action: z.enum(moderationActions),
      /**
       * User or guest, with all of their devices. If both this and `participantId` are absent, `mute` applies to
       * everyone except hosts, and `admit` to everyone in the lobby.
       */
      userId: z.optional(s.id),
      /** A single device, instead of `userId`. */
      participantId: z.optional(s.id),
    }),
    limit: 'meetingChangesPerUser',
    errors: ['meeting_not_found', 'not_host', 'participant_unknown', 'action_refused', 'room_full', 'plan_limit'],
  }),
  createGuest: defineRoute({
    method: 'POST',
    path: '/api/meetings/{roomCode}/guest',
    access: 'public',
    tag: 'meetings',
    status: 201,
    summary: 'Ask to join without an account, if the host allows it; sets a cookie with which to open the socket',
    params: codeParams,
    body: z.object({ name: trimmedText(1, limits.guestNameLength), inviteToken: z.optional(inviteToken) }),
    reply: z.object({ guestId: s.id, name: z.string(), roomCode: z.string(), expiresAt: s.time }),
    errors: ['meeting_not_found', 'meeting_over', 'guests_refused', 'guests_paused', 'removed', 'name_invalid'],
  }),
} as const;
