import type { ConversationId, MessageId, UserId } from '@nolo/kit/ids';
import type { ConversationType } from '@nolo/rules';

/** Events about messages and reactions for other services: their position, without their content. */
export const messagesAddedSubject = 'event.chat.messages_added';
export const messageReactedSubject = 'event.chat.message_reacted';

export type AlertReason = 'message' | 'mention' | 'reply' | 'reaction';

/** Alert for one person. */
export interface Alert {
  readonly conversationType: ConversationType;
  readonly userId: UserId;
  readonly messageId: MessageId;
  readonly seq: number;
  /** Author of the message, or of the reaction. */
  readonly senderId: UserId;
  readonly reason: AlertReason;
}

export interface AlertStore {
  /**
   * Returns the alerts for a sequence of messages: one per person, about the message that mentions or answers them, or
   * else the newest.
   */
  ofMessages(
    conversationId: ConversationId,
    which: { readonly firstSeq: number; readonly lastSeq: number; readonly userIds: readonly UserId[] | undefined },
    now: Date,
  ): Promise<Alert[]>;
  ofReaction(conversationId: ConversationId, seq: number, reactedBy: UserId, now: Date): Promise<Alert[]>;
  /** Counts unread messages. Omits people without any. */
  countUnread(userIds: readonly UserId[], now: Date): Promise<Map<UserId, number>>;
}
