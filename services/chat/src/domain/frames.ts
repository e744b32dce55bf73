import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { MemberRole } from '@nolo/rules';
import type { ConversationMeta, GroupSettings, GroupTraits } from './conversation.ts';
import type { Message } from './message.ts';

/** A message as it travels at the edge, over REST and sockets alike. */
export interface MessageData extends Omit<Message, 'pinnedAt' | 'expiresAt' | 'createdAt' | 'editedAt' | 'deletedAt'> {
  /** Names are the gateway's to know. */
  readonly sender: null;
  readonly pinnedAt: string | null;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly editedAt: string | null;
  readonly deletedAt: string | null;
}

/** What a conversation is as a whole, as it travels at the edge. */
export interface MetaData extends Omit<ConversationMeta, 'picturePath' | 'group'> {
  readonly pictureUrl: string | null;
  readonly group:
    | (Omit<GroupTraits, 'codeExpiresAt' | 'inviteExpiresAt' | 'settings'> & {
        readonly codeExpiresAt: string | null;
        readonly inviteExpiresAt: string | null;
        readonly settings: GroupSettings & { readonly requireApproval: boolean };
      })
    | null;
}

/** A member without receipts, which are not the same for everyone. */
export interface MemberData {
  readonly userId: UserId;
  readonly role: MemberRole;
  readonly changeSeq: number;
  readonly joinedAt: string;
  readonly leftAt: string | null;
}

/** How a membership ended. */
export type LeftReason = 'left' | 'removed' | 'banned';

/** What this service sends to sockets (packages/api, realtime.ts). */
export type ChatFrame =
  | { type: 'new_message' | 'message_updated'; data: MessageData }
  | {
      /** What changed and nothing else: in a large group a message has hundreds of reactions, each told to hundreds. */
      type: 'message_reaction';
      data: {
        conversationId: string;
        messageId: string;
        seq: number;
        changeSeq: number;
        userId: string;
        emoji: string | null;
      };
    }
  | {
      type: 'receipt';
      /** Only the first two for members who do not share receipts: they learn that the counter moved. */
      data: { conversationId: string; changeSeq: number; userId?: string; deliveredSeq?: number; readSeq?: number };
    }
  | {
      /** To authors in a large group: who has read how far, of those who share receipts. */
      type: 'receipts';
      data: { conversationId: string; receipts: readonly { userId: string; readSeq: number }[] };
    }
  | { type: 'read_cursor'; data: { conversationId: string; readSeq: number; unreadCount: number } }
  | { type: 'conversation_created' | 'join_request_denied'; data: { conversationId: string } }
  | {
      type: 'conversation_updated';
      data: { conversationId: string; changeSeq: number; conversation: MetaData };
    }
  | {
      type: 'members_changed';
      data: { conversationId: string; changeSeq: number; memberCount: number; members: readonly MemberData[] };
    }
  | { type: 'conversation_removed'; data: { conversationId: string; reason: LeftReason } }
  | { type: 'join_requests_changed' | 'held_messages_changed'; data: { conversationId: string; count: number } }
  | {
      type: 'conversation_settings';
      data: {
        conversationId: string;
        archivedAt: string | null;
        pinnedAt: string | null;
        mutedUntil: string | null;
        markedUnread: boolean;
      };
    }
  | { type: 'message_starred'; data: { conversationId: string; messageId: string; starredAt: string | null } }
  | { type: 'typing_start' | 'typing_stop'; data: { conversationId: string; userId: string } }
  | { type: 'sync_required'; data: Record<string, never> };

/** A frame with everyone whose sockets get it. */
export interface Announcement {
  readonly recipients: readonly UserId[];
  readonly frame: ChatFrame;
  /** Only sockets that joined this conversation. */
  readonly scope?: ConversationId;
}

/** Those of a conversation's members who get a frame that names nobody, decided when it is passed on. */
export interface Audience {
  readonly conversationId: ConversationId;
  /** Only those who may read the message of this number: who came later is told nothing of it. */
  readonly readersOf?: number;
  /** Only those who share receipts, or only those who do not. */
  readonly sharing?: boolean;
  /** Only owner and admins. */
  readonly deciding?: true;
  /** Without these. */
  readonly except?: readonly UserId[];
}

/** How the outbox names announcements; the SQL in store/ writes the same. */
export const announcementSubject = 'deliver';

/** An event for other services: somebody is in a group no longer, however that came. */
export const memberLeftSubject = 'event.chat.member_left';

/** The same for those who remember permissions for a moment, and are told only where they listen. */
export const memberLeftWake = 'chat.member_left';

export function messageData(message: Message): MessageData {
  const { pinnedAt, expiresAt, createdAt, editedAt, deletedAt, ...rest } = message;
  return {
    ...rest,
    sender: null,
    pinnedAt: pinnedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    editedAt: editedAt?.toISOString() ?? null,
    deletedAt: deletedAt?.toISOString() ?? null,
  };
}
