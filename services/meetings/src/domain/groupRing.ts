import type { ConversationId, MeetingId, UserId } from '@nolo/kit/ids';
import type { CallType } from '@nolo/rules';
import type { OutboundFrame } from './outboundFrames.ts';

const groupCallRangSubject = 'event.meetings.group_call_rang';
const groupCallRingEndedSubject = 'event.meetings.group_call_ring_ended';

/** Ring of a group call for one member. */
export interface GroupRing {
  readonly meetingId: MeetingId;
  readonly userId: UserId;
  /** Equal for everyone this call rings for. */
  readonly callId: string;
  readonly groupId: ConversationId;
  readonly roomCode: string;
  readonly callerId: UserId;
  readonly type: CallType;
  readonly since: Date;
}

export type RingEndReason = 'answered' | 'declined' | 'missed';

export interface NewGroupRing extends Pick<GroupRing, 'meetingId' | 'callerId' | 'type'> {
  readonly callees: readonly UserId[];
}

const callOf = ({ callId, groupId, roomCode, callerId, type, userId }: GroupRing) => ({
  callId,
  conversationId: groupId,
  roomCode,
  callerId,
  type,
  userId,
});

/** Builds the event from which other services notify the member's devices. */
export function createGroupRingEvent(ring: GroupRing, end?: RingEndReason) {
  const payload = end === undefined ? callOf(ring) : { ...callOf(ring), reason: end };
  return { subject: end === undefined ? groupCallRangSubject : groupCallRingEndedSubject, key: ring.callId, payload };
}

/** Builds the frame for all sockets of the member. */
export function createGroupRingFrame({ userId, since, ...ring }: GroupRing, end?: RingEndReason): OutboundFrame {
  const { callId, groupId, roomCode, callerId, type } = ring;
  return {
    recipients: [userId],
    frame:
      end === undefined
        ? {
            type: 'group_call_ringing',
            data: { callId, groupId, roomCode, callerId, type, since: since.toISOString() },
          }
        : { type: 'group_call_ring_ended', data: { callId, groupId, reason: end } },
  };
}

/** Port for group rings in PostgreSQL, implemented by store/groupRings.ts. */
export interface GroupRingStore {
  /**
   * Rings for callees who are not in a call of their own and have not just declined one here, unless the call is
   * already active or ringing. If it rings for the caller, that ring counts as answered.
   */
  begin(ring: NewGroupRing, callId: string, now: Date): Promise<void>;
  /**
   * Stops one ring of a member or, if `meetingId` is undefined, all their rings. A declined ring blocks new ones there
   * until `stopOlder` removes it.
   */
  stop(which: { readonly meetingId?: MeetingId; readonly userId: UserId }, end: RingEndReason): Promise<void>;
  list(userId: UserId): Promise<GroupRing[]>;
  /** Returns when the oldest ring began, including declined ones. */
  first(): Promise<Date | undefined>;
  /** Stops up to `limit` rings that began before this time, and removes declined ones of that age. */
  stopOlder(before: Date, limit: number): Promise<void>;
}
