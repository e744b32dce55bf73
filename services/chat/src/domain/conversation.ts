import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { ConversationType } from '@nolo/rules';
import type { Message } from './message.ts';

export type MemberRole = 'owner' | 'admin' | 'member';

/** A member with the cursors that were shared; whoever shows them asks `memberAsSeenBy` first. */
export interface Member {
  readonly conversationId: ConversationId;
  readonly userId: UserId;
  readonly role: MemberRole;
  readonly deliveredSeq: number;
  readonly readSeq: number;
  readonly changeSeq: number;
  readonly joinedAt: Date;
  readonly leftAt: Date | null;
  readonly sharesReceipts: boolean;
}

/** A conversation as one of its members sees it. */
export interface ConversationView {
  readonly id: ConversationId;
  readonly type: ConversationType;
  readonly members: readonly Member[];
  readonly lastMessage: Message | null;
  readonly lastSeq: number;
  readonly changeSeq: number;
  /** The viewer's private cursor. */
  readonly readSeq: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** What the list is sorted by: the last message, or the creation. */
  readonly activityAt: Date;
}

/**
 * Counts without counting: `seq` is dense, and sending moves the sender's own cursor, so everything after the cursor
 * was written by others.
 */
export function unreadCount(lastSeq: number, readSeq: number): number {
  return Math.max(0, lastSeq - readSeq);
}

/** Receipts are mutual: who does not share sees none, and nobody sees theirs (decision 15). */
export function memberAsSeenBy(member: Member, viewerShares: boolean): Member {
  return viewerShares && member.sharesReceipts ? member : { ...member, deliveredSeq: 0, readSeq: 0 };
}

/** The members as the viewer may see them; the viewer's own choice stands in the viewer's own row. */
export function membersAsSeenBy(members: readonly Member[], viewerId: UserId): Member[] {
  const viewerShares = members.find((member) => member.userId === viewerId)?.sharesReceipts ?? false;
  return members.map((member) => memberAsSeenBy(member, viewerShares));
}

/** The same for both, whoever opens the conversation, so that the database can hold it unique. */
export function directKey(one: UserId, other: UserId): string {
  return [one, other].toSorted().join(':');
}
