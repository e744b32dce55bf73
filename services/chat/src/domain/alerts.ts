import type { ConversationId, MessageId, UserId } from '@nolo/kit/ids';
import type { ConversationType } from '@nolo/rules';

/** What other services read in the log of messages and reactions: where they stand, and nothing that they say. */
export const messagesAddedSubject = 'event.chat.messages_added';
export const messageReactedSubject = 'event.chat.message_reacted';

export type AlertReason = 'message' | 'mention' | 'reply' | 'reaction';

/** What one person is to be told of. */
export interface Alert {
  readonly conversationType: ConversationType;
  readonly userId: UserId;
  readonly messageId: MessageId;
  readonly seq: number;
  /** Who wrote it, or reacted to it. */
  readonly senderId: UserId;
  readonly reason: AlertReason;
}

export interface AlertStore {
  /** Of a run of messages: each person once, of what names or answers them, or else of the newest. */
  ofMessages(
    conversationId: ConversationId,
    which: { readonly firstSeq: number; readonly lastSeq: number; readonly userIds: readonly UserId[] | undefined },
    now: Date,
  ): Promise<Alert[]>;
  ofReaction(conversationId: ConversationId, seq: number, reactedBy: UserId, now: Date): Promise<Alert[]>;
  /** Of those who have any. */
  countUnread(userIds: readonly UserId[], now: Date): Promise<Map<UserId, number>>;
}
