import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { Message } from './message.ts';

/** A message as it travels at the edge, over REST and sockets alike. */
export interface MessageData extends Omit<Message, 'createdAt' | 'editedAt' | 'deletedAt'> {
  readonly createdAt: string;
  readonly editedAt: string | null;
  readonly deletedAt: string | null;
}

/** What this service sends to sockets (packages/api, realtime.ts). */
export type ChatFrame =
  | { type: 'new_message' | 'message_updated'; data: MessageData }
  | {
      type: 'receipt';
      /** Only the first two for members who do not share receipts: they learn that the counter moved. */
      data: { conversationId: string; changeSeq: number; userId?: string; deliveredSeq?: number; readSeq?: number };
    }
  | { type: 'read_cursor'; data: { conversationId: string; readSeq: number; unreadCount: number } }
  | { type: 'conversation_created'; data: { conversationId: string } }
  | { type: 'typing_start' | 'typing_stop'; data: { conversationId: string; userId: string } }
  | { type: 'sync_required'; data: Record<string, never> };

/** A frame with everyone whose sockets get it. */
export interface Announcement {
  readonly recipients: readonly UserId[];
  readonly frame: ChatFrame;
  /** Only sockets that joined this conversation. */
  readonly scope?: ConversationId;
}

/** How the outbox names announcements; the SQL in store/ writes the same. */
export const announcementSubject = 'deliver';

export function messageData(message: Message): MessageData {
  const { createdAt, editedAt, deletedAt, ...rest } = message;
  return {
    ...rest,
    createdAt: createdAt.toISOString(),
    editedAt: editedAt?.toISOString() ?? null,
    deletedAt: deletedAt?.toISOString() ?? null,
  };
}
