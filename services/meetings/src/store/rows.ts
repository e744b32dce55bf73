import type { ConversationId, MeetingId, ParticipantId, UserId } from '@nolo/kit/ids';
import type { MeetingRecurrence, MeetingStatus, ParticipantRole } from '@nolo/rules';
import type { Knex } from '@nolo/kit/db';
import type { Meeting, Membership } from '../domain/meeting.ts';

export interface MeetingRow {
  id: MeetingId;
  room_code: string | null;
  last_room_code: string;
  code_expires_at: Date | null;
  conversation_id: ConversationId;
  group_id: ConversationId | null;
  host_id: UserId;
  name: string;
  description: string;
  max_participants: number;
  asked_participants: number | null;
  scheduled_at: Date | null;
  first_at: Date | null;
  duration_minutes: number;
  time_zone: string;
  recurrence: MeetingRecurrence;
  /** Meetings that have not begun are stored as scheduled, with or without a time. `statusOf` distinguishes them. */
  status: Exclude<MeetingStatus, 'created'>;
  closed: boolean;
  allow_recording: boolean;
  require_auth: boolean;
  waiting_room: boolean;
  allow_screen_share: boolean;
  mute_on_entry: boolean;
  locked: boolean;
  is_recording: boolean;
  recorder_id: ParticipantId | null;
  invite_hash: Buffer | null;
  plan_minutes: number | null;
  started_at: Date | null;
  started_by: UserId | null;
  acting_host_id: UserId | null;
  ended_at: Date | null;
  ends_at: Date | null;
  created_at: Date;
  updated_at: Date;
  /** Counted by a trigger. */
  version: number;
}

export interface MembershipRow {
  role: ParticipantRole;
  admitted: boolean;
  removed: boolean;
}

/** Meetings without a time are not scheduled (decision 50). */
const statusOf = ({ status, scheduled_at: at }: MeetingRow): MeetingStatus =>
  status === 'scheduled' && at === null ? 'created' : status;

/** Returns the stored form of a status. */
export const toStoredStatus = (status: MeetingStatus): MeetingRow['status'] =>
  status === 'created' ? 'scheduled' : status;

/** SQL for the list's filters. An unfinished meeting without a time appears only in the unfiltered list. */
export const meetingFilterSql = {
  live: `status = 'live'`,
  scheduled: `status = 'scheduled' and scheduled_at is not null`,
  past: `status in ('completed', 'cancelled')`,
} as const;

export function fromMeetingRow(row: MeetingRow): Meeting {
  return {
    id: row.id,
    roomCode: row.room_code ?? row.last_room_code,
    codeExpiresAt: row.code_expires_at,
    conversationId: row.conversation_id,
    groupId: row.group_id,
    hostId: row.host_id,
    name: row.name,
    description: row.description,
    maxParticipants: row.max_participants,
    requestedParticipants: row.asked_participants ?? row.max_participants,
    scheduledAt: row.scheduled_at,
    firstAt: row.first_at,
    durationMinutes: row.duration_minutes,
    timeZone: row.time_zone,
    recurrence: row.recurrence,
    status: statusOf(row),
    closed: row.closed,
    settings: {
      allowRecording: row.allow_recording,
      requireAuth: row.require_auth,
      waitingRoom: row.waiting_room,
      allowScreenShare: row.allow_screen_share,
      muteOnEntry: row.mute_on_entry,
    },
    locked: row.locked,
    // Checks the flag, because release 0.1.0 may have cleared it without clearing the recorder.
    recorderId: row.is_recording ? row.recorder_id : null,
    inviteHash: row.invite_hash,
    planMinutes: row.plan_minutes,
    startedAt: row.started_at,
    startedBy: row.started_by,
    actingHostId: row.acting_host_id,
    endedAt: row.ended_at,
    endsAt: row.ends_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  };
}

export function toMeetingRow(
  meeting: Omit<Meeting, 'firstAt' | 'version' | 'actingHostId'>,
): Omit<MeetingRow, 'version' | 'acting_host_id'> {
  return {
    id: meeting.id,
    room_code: meeting.closed ? null : meeting.roomCode,
    last_room_code: meeting.roomCode,
    code_expires_at: meeting.codeExpiresAt,
    conversation_id: meeting.conversationId,
    group_id: meeting.groupId,
    host_id: meeting.hostId,
    name: meeting.name,
    description: meeting.description,
    max_participants: meeting.maxParticipants,
    asked_participants: meeting.requestedParticipants,
    scheduled_at: meeting.scheduledAt,
    first_at: meeting.scheduledAt,
    duration_minutes: meeting.durationMinutes,
    time_zone: meeting.timeZone,
    recurrence: meeting.recurrence,
    status: toStoredStatus(meeting.status),
    closed: meeting.closed,
    allow_recording: meeting.settings.allowRecording,
    require_auth: meeting.settings.requireAuth,
    waiting_room: meeting.settings.waitingRoom,
    allow_screen_share: meeting.settings.allowScreenShare,
    mute_on_entry: meeting.settings.muteOnEntry,
    locked: meeting.locked,
    is_recording: meeting.recorderId !== null,
    recorder_id: meeting.recorderId,
    invite_hash: meeting.inviteHash,
    plan_minutes: meeting.planMinutes,
    started_at: meeting.startedAt,
    started_by: meeting.startedBy,
    ended_at: meeting.endedAt,
    ends_at: meeting.endsAt,
    created_at: meeting.createdAt,
    updated_at: meeting.updatedAt,
  };
}

export function fromMembershipRow({ role, admitted, removed }: MembershipRow): Membership {
  return { role, admitted, removed };
}

/** Returns the first result. */
export const readFirstMeeting = async (query: PromiseLike<MeetingRow[]>): Promise<Meeting | undefined> => {
  const [row] = await query;
  return row && fromMeetingRow(row);
};

/** Returns the meeting after an update. */
export const returnUpdatedMeeting = (query: Knex.QueryBuilder) =>
  readFirstMeeting(query.returning('*') as unknown as PromiseLike<MeetingRow[]>);
