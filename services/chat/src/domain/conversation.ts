import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { ConversationType, GroupSettingName, MemberRole } from '@nolo/rules';
import type { Message } from './message.ts';

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

/** What members of a group may do; owner and admins may everything. */
export type GroupSettings = Readonly<Record<GroupSettingName, boolean>>;

/** What only groups have. */
export interface GroupTraits {
  readonly isPublic: boolean;
  readonly maxMembers: number;
  readonly roomCode: string | null;
  readonly codeExpiresAt: Date | null;
  readonly settings: GroupSettings;
  readonly hasInvite: boolean;
  readonly inviteExpiresAt: Date | null;
  /** Since when a call goes on. */
  readonly callSince: Date | null;
}

/** What a conversation is as a whole, the same for every member; a row of its own in the feed of changes. */
export interface ConversationMeta {
  readonly id: ConversationId;
  readonly name: string | null;
  readonly description: string | null;
  readonly picturePath: string | null;
  readonly disappearingSeconds: number | null;
  /** Null for what is no group. */
  readonly group: GroupTraits | null;
}

/** What a member chose for a conversation. */
export interface ConversationSettings {
  readonly archivedAt: Date | null;
  readonly pinnedAt: Date | null;
  readonly mutedUntil: Date | null;
  /** While it is muted, what names or answers the member is told all the same. */
  readonly mutedExceptMentions: boolean;
  readonly markedUnread: boolean;
  /** What was said up to this number is not the member's to see. */
  readonly clearedSeq: number;
  /** Out of the list until something is said after `clearedSeq`. */
  readonly hiddenAt: Date | null;
  /** Since when the other person waits to be accepted by the member (decision 39). */
  readonly requestedAt: Date | null;
}

/** A conversation as one of its members sees it. */
export interface ConversationView {
  readonly id: ConversationId;
  readonly type: ConversationType;
  readonly meta: ConversationMeta;
  /** All of a direct conversation, otherwise the viewer and a few others. */
  readonly members: readonly Member[];
  readonly memberCount: number;
  readonly myRole: MemberRole;
  readonly mySettings: ConversationSettings;
  /** How many wait to be let in; 0 for those who do not decide about it. */
  readonly requestCount: number;
  readonly lastMessage: Message | null;
  readonly lastSeq: number;
  readonly changeSeq: number;
  /** The viewer's private cursor. */
  readonly readSeq: number;
  /** The newest unread message that mentions the viewer. */
  readonly mentionSeq: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastMessageAt: Date | null;
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
