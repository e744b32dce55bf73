import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { ConversationType, GroupSettingName, MemberRole } from '@nolo/rules';
import type { StoredMessage } from './message.ts';

/** Member with shared cursors. Apply `memberAsSeenBy` before showing them. */
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

/** Permissions of a group's members; the owner and admins may do everything. */
export type GroupSettings = Readonly<Record<GroupSettingName, boolean>>;

/** Properties of a group. */
interface GroupProperties {
  readonly isPublic: boolean;
  readonly maxMembers: number;
  readonly roomCode: string | null;
  readonly codeExpiresAt: Date | null;
  readonly settings: GroupSettings;
  readonly hasInvite: boolean;
  readonly inviteExpiresAt: Date | null;
  /** Start of the active call. */
  readonly callSince: Date | null;
}

/** Properties of a conversation that are the same for every member; a separate row in the feed of changes. */
export interface ConversationMeta {
  readonly id: ConversationId;
  readonly name: string | null;
  readonly description: string | null;
  readonly picturePath: string | null;
  readonly disappearingSeconds: number | null;
  /** First message that had to be sealed; null while the conversation has no epoch. */
  readonly sealedFromSeq: number | null;
  /** True for a direct conversation that another one replaced. */
  readonly isReplaced: boolean;
  /** Group properties. Null for other conversations. */
  readonly group: GroupProperties | null;
}

/** Settings that a member chose for a conversation. */
export interface ConversationSettings {
  readonly archivedAt: Date | null;
  readonly pinnedAt: Date | null;
  readonly mutedUntil: Date | null;
  /** True if the member is still notified of mentions and replies while it is muted. */
  readonly mutedExceptMentions: boolean;
  readonly markedUnread: boolean;
  /** Sequence number up to which messages are hidden from the member. */
  readonly clearedSeq: number;
  /** Time when it was removed from the list, until a message follows `clearedSeq`. */
  readonly hiddenAt: Date | null;
  /** Time since which the other person waits for the member's acceptance (decision 39). */
  readonly requestedAt: Date | null;
}

/** Conversation as seen by one of its members. */
export interface ConversationView {
  readonly id: ConversationId;
  readonly type: ConversationType;
  readonly meta: ConversationMeta;
  /** All members of a direct conversation, otherwise the viewer and a few others. */
  readonly members: readonly Member[];
  readonly memberCount: number;
  readonly myRole: MemberRole;
  readonly mySettings: ConversationSettings;
  /** Number of pending join requests; 0 for viewers who cannot decide on them. */
  readonly requestCount: number;
  readonly lastMessage: StoredMessage | null;
  readonly lastSeq: number;
  readonly changeSeq: number;
  /** Viewer's private read cursor. */
  readonly readSeq: number;
  /** Newest unread message that mentions the viewer. */
  readonly mentionSeq: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastMessageAt: Date | null;
  /** Sort key of the list: time of the last message, or of the creation. */
  readonly activityAt: Date;
}

/**
 * Returns the number of unread messages without counting: `seq` has no gaps, and sending moves the sender's own cursor,
 * so all messages after the cursor are from others.
 */
export function computeUnreadCount(lastSeq: number, readSeq: number): number {
  return Math.max(0, lastSeq - readSeq);
}

/**
 * Returns a member as the viewer sees them. Receipts are mutual: a person who does not share them sees none and shows
 * none (decision 15).
 */
export function memberAsSeenBy(member: Member, viewerShares: boolean): Member {
  return viewerShares && member.sharesReceipts ? member : { ...member, deliveredSeq: 0, readSeq: 0 };
}

/** Returns the members as the viewer sees them; the viewer's own setting is in the viewer's row. */
export function membersAsSeenBy(members: readonly Member[], viewerId: UserId): Member[] {
  const viewerShares = members.find((member) => member.userId === viewerId)?.sharesReceipts ?? false;
  return members.map((member) => memberAsSeenBy(member, viewerShares));
}

/** Returns a key that is the same for both people, so that the database can enforce uniqueness. */
export function buildDirectConversationKey(one: UserId, other: UserId): string {
  return [one, other].toSorted().join(':');
}
