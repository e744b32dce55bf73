import type { ConversationId, MeetingId, ParticipantId, UserId } from '@nolo/kit/ids';
import type { MeetingRecurrence, MeetingStatus, ParticipantRole } from '@nolo/rules';
import { failMeetings, meetingOver, removedFromMeeting } from '../errors.ts';

export interface MeetingSettings {
  readonly allowRecording: boolean;
  readonly requireAuth: boolean;
  readonly waitingRoom: boolean;
  readonly allowScreenShare: boolean;
  readonly muteOnEntry: boolean;
}

export interface Meeting {
  readonly id: MeetingId;
  /** The one in force, or the last one of a meeting that is closed. */
  readonly roomCode: string;
  /** From then on the code opens the meeting to nobody new; null where it is good for ever. */
  readonly codeExpiresAt: Date | null;
  readonly conversationId: ConversationId;
  /** The group whose room it is; null for a meeting of its own. */
  readonly groupId: ConversationId | null;
  readonly hostId: UserId;
  readonly name: string;
  readonly description: string;
  /** How many people it takes: as many as were asked for, within the plan that it stands under. */
  readonly maxParticipants: number;
  readonly askedParticipants: number;
  readonly scheduledAt: Date | null;
  /** The first date of a meeting that recurs, as a host chose it; null where 0.1.0 stored the meeting. */
  readonly firstAt: Date | null;
  readonly durationMinutes: number;
  readonly timeZone: string;
  readonly recurrence: MeetingRecurrence;
  readonly status: MeetingStatus;
  /** Nobody gets in again. */
  readonly closed: boolean;
  readonly settings: MeetingSettings;
  readonly locked: boolean;
  /** The participant who records; null while nobody does. */
  readonly recorderId: ParticipantId | null;
  readonly inviteHash: Buffer | null;
  readonly planMinutes: number | null;
  readonly startedAt: Date | null;
  /** Who was the first to come in; null where nobody was yet, or their account is gone. */
  readonly startedBy: UserId | null;
  /** Who hosts while the host is away; null where nobody has to. */
  readonly actingHostId: UserId | null;
  readonly endedAt: Date | null;
  readonly endsAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Counts the changes of the row; the database sets it. */
  readonly version: number;
}

/** Somebody's part in a meeting. */
export interface Part {
  readonly role: ParticipantRole;
  /** Let in by a host, for good. */
  readonly admitted: boolean;
  readonly removed: boolean;
}

/** Who asks to get in. */
export interface Visitor {
  /** Undefined for somebody without an account. */
  readonly id: UserId | undefined;
  readonly isGuest: boolean;
  /** Undefined for somebody who has had no part in it. */
  readonly part: Part | undefined;
  readonly holdsInvite: boolean;
  /** Too many codes are being tried for a code alone to open a door (decision 40). */
  readonly guarded: boolean;
  /** Was inside a moment ago, or still is: a connection that broke is no reason to knock again. */
  readonly wasInside: boolean;
}

export type Access = 'enter' | 'wait' | 'guest';

export function isHosting(part: Part | undefined): boolean {
  return part !== undefined && !part.removed && (part.role === 'host' || part.role === 'co_host');
}

/** Whether the code no longer leads to the meeting for somebody who has no part in it. */
export function codeHasEnded({ codeExpiresAt }: Pick<Meeting, 'codeExpiresAt'>, now: Date): boolean {
  return codeExpiresAt !== null && codeExpiresAt.getTime() <= now.getTime();
}

/**
 * Whether and how somebody gets in (decisions 9 and 20): hosts always, guests by way of the lobby, everybody else directly
 * unless the waiting room is on or codes are being guessed, which an invite link opens.
 *
 * @throws meeting_over, removed, meeting_locked, sign_in_required
 */
export function decideAccess(meeting: Meeting, visitor: Visitor): Access {
  if (meeting.closed) throw meetingOver();
  const { part } = visitor;
  if (part?.removed) throw removedFromMeeting();
  if (isHosting(part) || visitor.wasInside) return 'enter';
  if (visitor.id === undefined && meeting.settings.requireAuth) {
    throw failMeetings('unauthenticated', 'sign_in_required', 'Sign in to join this meeting.');
  }
  if (meeting.locked && !part?.admitted) {
    throw failMeetings('forbidden', 'meeting_locked', 'The host has locked this meeting.');
  }
  if (visitor.id === undefined) return 'guest';
  if (part?.admitted) return 'enter';
  if (visitor.isGuest) return 'wait';
  if (visitor.holdsInvite) return 'enter';
  return meeting.settings.waitingRoom || visitor.guarded ? 'wait' : 'enter';
}

/** What is left to say of a meeting to somebody who only has its code. */
export function endsAtWithPlan(
  meeting: Pick<Meeting, 'planMinutes' | 'startedAt' | 'endsAt'>,
  people: number,
  now: Date,
  rules: { people: number; warningMinutes: number },
): Date | null {
  if (meeting.planMinutes === null || people < rules.people) return meeting.endsAt;
  if (meeting.endsAt !== null) return meeting.endsAt;
  const planned = (meeting.startedAt ?? now).getTime() + meeting.planMinutes * 60_000;
  // Nobody is put out without having been warned.
  return new Date(Math.max(planned, now.getTime() + rules.warningMinutes * 60_000));
}
