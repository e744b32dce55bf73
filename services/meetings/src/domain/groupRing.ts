import type { ConversationId, MeetingId, UserId } from '@nolo/kit/ids';
import type { CallType } from '@nolo/rules';
import type { Announcement } from './announce.ts';

export const groupCallRang = 'event.meetings.group_call_rang';
export const groupCallStilled = 'event.meetings.group_call_stilled';

/** The call of a group that rings for one member. */
export interface GroupRing {
  readonly meetingId: MeetingId;
  readonly userId: UserId;
  /** The same for everybody whom this call rings for. */
  readonly callId: string;
  readonly groupId: ConversationId;
  readonly roomCode: string;
  readonly callerId: UserId;
  readonly type: CallType;
  readonly since: Date;
}

export type RingEnd = 'answered' | 'declined' | 'missed';

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

/** What other services hear of it, to notify the member's devices. */
export function ringEvent(ring: GroupRing, end?: RingEnd) {
  const payload = end === undefined ? callOf(ring) : { ...callOf(ring), reason: end };
  return { subject: end === undefined ? groupCallRang : groupCallStilled, key: ring.callId, payload };
}

/** What all sockets of the member get. */
export function ringFrame({ userId, since, ...ring }: GroupRing, end?: RingEnd): Announcement {
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

/** What group rings need from PostgreSQL; store/groupRings.ts implements it. */
export interface GroupRingStore {
  /**
   * Rings for the callees who are in no call of their own and have not just declined one here, unless the call goes on or
   * rings already. Where it rings for the caller, they have answered it.
   */
  begin(ring: NewGroupRing, callId: string, now: Date): Promise<void>;
  /**
   * Stops one member's ring, or with `meetingId` undefined all rings of theirs. Nothing rings there again for whoever
   * declines until `stopOlder` removes what is left of the ring.
   */
  stop(which: { readonly meetingId?: MeetingId; readonly userId: UserId }, end: RingEnd): Promise<void>;
  list(userId: UserId): Promise<GroupRing[]>;
  /** When the oldest ring began, declined ones included. */
  first(): Promise<Date | undefined>;
  /** Stops up to `limit` rings that began before then, and removes declined ones as old. */
  stopOlder(before: Date, limit: number): Promise<void>;
}
