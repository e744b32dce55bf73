import type { ConversationId, MeetingId, ParticipantId, UserId } from '@nolo/kit/ids';
import type { MeetingRecurrence, MeetingStatus, ParticipantRole } from '@nolo/rules';
import { createMeetingsError, meetingOver, removedFromMeeting } from '../errors.ts';

interface MeetingSettings {
  readonly allowRecording: boolean;
  readonly requireAuth: boolean;
  readonly waitingRoom: boolean;
  readonly allowScreenShare: boolean;
  readonly muteOnEntry: boolean;
}

export interface Meeting {
  readonly id: MeetingId;
  /** Current code, or the last one of a closed meeting. */
  readonly roomCode: string;
  /** Time from which the code admits nobody new. Null if it never expires. */
  readonly codeExpiresAt: Date | null;
  readonly conversationId: ConversationId;
  /** Group that the room belongs to. Null for an independent meeting. */
  readonly groupId: ConversationId | null;
  readonly hostId: UserId;
  readonly name: string;
  readonly description: string;
  /** Maximum participants: the requested number within the limit of the plan. */
  readonly maxParticipants: number;
  readonly requestedParticipants: number;
  readonly scheduledAt: Date | null;
  /** First date of a recurring meeting, as a host chose it. Null if release 0.1.0 stored the meeting. */
  readonly firstAt: Date | null;
  readonly durationMinutes: number;
  readonly timeZone: string;
  readonly recurrence: MeetingRecurrence;
  readonly status: MeetingStatus;
  /** True if nobody can join again. */
  readonly closed: boolean;
  readonly settings: MeetingSettings;
  readonly locked: boolean;
  /** Participant who is recording. Null if nobody is. */
  readonly recorderId: ParticipantId | null;
  readonly inviteHash: Buffer | null;
  readonly planMinutes: number | null;
  readonly startedAt: Date | null;
  /** First person who joined. Null if nobody has, or if their account is gone. */
  readonly startedBy: UserId | null;
  /** Account that hosts while the host is away. Null if none is needed. */
  readonly actingHostId: UserId | null;
  readonly endedAt: Date | null;
  readonly endsAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Number of changes of the row, set by the database. */
  readonly version: number;
}

/** Membership of an account in a meeting. */
export interface Membership {
  readonly role: ParticipantRole;
  /** True if a host admitted them, which stays in effect. */
  readonly admitted: boolean;
  readonly removed: boolean;
}

/** Person who asks to join. */
export interface MeetingJoinCandidate {
  /** Undefined for people without an account. */
  readonly id: UserId | undefined;
  readonly isGuest: boolean;
  /** Undefined for people who never took part. */
  readonly membership: Membership | undefined;
  readonly holdsInvite: boolean;
  /** True while so many codes are being guessed that a code alone does not admit anyone (decision 40). */
  readonly guarded: boolean;
  /** True if they are inside or were a moment ago. Broken connections do not require asking to join again. */
  readonly wasInside: boolean;
}

export type AccessDecision = 'enter' | 'wait' | 'guest';

export function isHosting(membership: Membership | undefined): boolean {
  return (
    membership !== undefined && !membership.removed && (membership.role === 'host' || membership.role === 'co_host')
  );
}

/** Returns true if the code no longer admits people who never took part. */
export function hasRoomCodeExpired({ codeExpiresAt }: Pick<Meeting, 'codeExpiresAt'>, now: Date): boolean {
  return codeExpiresAt !== null && codeExpiresAt.getTime() <= now.getTime();
}

/**
 * Decides whether and how someone may join (decisions 9 and 20): hosts always, guests through the lobby, everyone else
 * directly unless the waiting room is on or codes are being guessed. An invite link bypasses both.
 *
 * @throws meeting_over, removed, meeting_locked, sign_in_required
 */
export function decideAccess(meeting: Meeting, visitor: MeetingJoinCandidate): AccessDecision {
  if (meeting.closed) throw meetingOver();
  const { membership } = visitor;
  if (membership?.removed) throw removedFromMeeting();
  if (isHosting(membership) || visitor.wasInside) return 'enter';
  if (visitor.id === undefined && meeting.settings.requireAuth) {
    throw createMeetingsError('unauthenticated', 'sign_in_required', 'Sign in to join this meeting.');
  }
  if (meeting.locked && !membership?.admitted) {
    throw createMeetingsError('forbidden', 'meeting_locked', 'The host has locked this meeting.');
  }
  if (visitor.id === undefined) return 'guest';
  if (membership?.admitted) return 'enter';
  if (visitor.isGuest) return 'wait';
  if (visitor.holdsInvite) return 'enter';
  return meeting.settings.waitingRoom || visitor.guarded ? 'wait' : 'enter';
}

/** Returns when the plan ends the meeting once enough people are in it. Keeps an end that is already set. */
export function computeEndByPlan(
  meeting: Pick<Meeting, 'planMinutes' | 'startedAt' | 'endsAt'>,
  people: number,
  now: Date,
  rules: { people: number; warningMinutes: number },
): Date | null {
  if (meeting.planMinutes === null || people < rules.people) return meeting.endsAt;
  if (meeting.endsAt !== null) return meeting.endsAt;
  const planned = (meeting.startedAt ?? now).getTime() + meeting.planMinutes * 60_000;
  // People must be warned before the meeting ends.
  return new Date(Math.max(planned, now.getTime() + rules.warningMinutes * 60_000));
}
