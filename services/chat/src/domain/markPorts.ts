import type { ConversationId, MessageId, UserId } from '@nolo/kit/ids';
import type { ConversationType, MemberRole } from '@nolo/rules';
import type { ConversationSettings } from './conversation.ts';
import type { StarPlace } from './cursor.ts';
import type { Message } from './message.ts';
import type { RequestRefusal } from './ports.ts';

/** A message with what decides who may do what to it. */
export interface MessageInPlace {
  readonly message: Message;
  readonly conversationType: ConversationType;
  readonly role: MemberRole;
  /** Whether one of the two of a direct conversation blocked the other. */
  readonly blocked: boolean;
  /** Why nothing of the viewer's comes in to the other of a direct conversation. */
  readonly refusal: RequestRefusal | null;
}

export interface Star {
  readonly message: Message;
  readonly starredAt: Date;
}

/** What people do to messages that are there. Who may do it is judged before, what may have changed since is held here. */
export interface MarkStore {
  /** The message as `MessageStore.find` has it. */
  find(actorId: UserId, id: MessageId): Promise<MessageInPlace | undefined>;
  /** Undefined where there is nothing to change: the message is gone, the actor left, it is so already, or it is full. */
  react(actorId: UserId, id: MessageId, emoji: string | null, at: Date): Promise<Message | undefined>;
  /**
   * As for reacting, with the note that tells of a pin; 'full' where as many are pinned as may be, otherwise why the note
   * does not come in to the other.
   */
  pin(
    actorId: UserId,
    message: Message,
    pinned: boolean,
    at: Date,
  ): Promise<Message | 'full' | 'blocked' | RequestRefusal | undefined>;
  /** Tells the actor's devices; 'full' where there are as many stars as may be, false where nothing changed. */
  star(actorId: UserId, message: Message, starred: boolean, at: Date): Promise<boolean | 'full'>;
  /** Latest star first, beginning after `place`; of conversations that the actor is in. */
  starred(actorId: UserId, place: StarPlace | undefined, limit: number): Promise<Star[]>;
  /** Latest pin first; undefined where the actor is no member. */
  pinned(actorId: UserId, conversationId: ConversationId): Promise<Message[] | undefined>;
  /** Takes a person's reactions in a conversation back, up to `limit`; answers how many those were. */
  dropReactionsOf(userId: UserId, conversationId: ConversationId, limit: number, at: Date): Promise<number>;
  dropStarsOf(userId: UserId): Promise<void>;
}

/** What a member changes of a conversation for themselves; what is undefined stays. */
export interface SettingsChange {
  readonly archived?: boolean;
  readonly pinned?: boolean;
  /** Null makes noise again. */
  readonly mutedUntil?: Date | null;
  readonly mutedExceptMentions?: boolean;
  readonly markedUnread?: boolean;
  /** The other person, who waits to be. */
  readonly accepted?: true;
}

export interface SettingsStore {
  /** Tells the actor's devices where anything changed; undefined where the actor is no member. */
  change(
    actorId: UserId,
    conversationId: ConversationId,
    change: SettingsChange,
    at: Date,
  ): Promise<{ settings: ConversationSettings; changed: boolean } | 'full' | undefined>;
}

/** What somebody wants to see no longer, which concerns nobody else. */
export interface HidingStore {
  /** What is left of the message for the actor, hidden now or before; undefined where it is not the actor's to see. */
  hide(actorId: UserId, id: MessageId, at: Date): Promise<Message | undefined>;
  /** Of all that was said until now nothing is left; undefined where the actor is no member. */
  clear(
    actorId: UserId,
    conversationId: ConversationId,
    fromList: boolean,
    at: Date,
  ): Promise<ConversationSettings | undefined>;
  forget(userId: UserId): Promise<void>;
}

export interface TimerStore {
  /**
   * With the message that tells everyone; false where it was set so before, or the actor left, otherwise why that message
   * does not come in to the other.
   */
  set(
    actorId: UserId,
    conversationId: ConversationId,
    seconds: number | null,
    at: Date,
  ): Promise<boolean | 'blocked' | RequestRefusal>;
  /** Leaves tombstones of up to `limit` messages whose time is over; answers when their time was. */
  eraseExpired(limit: number, at: Date): Promise<Date[]>;
  /** Takes away what waited for approval until its time was over, up to `limit`; answers how many those were. */
  dropExpiredHeld(limit: number, at: Date): Promise<number>;
  /** When the next message, or the next that waits for approval, is over. */
  nextExpiry(): Promise<Date | undefined>;
  /** Since when the oldest message that should be gone is overdue. */
  overdueSince(at: Date): Promise<Date | undefined>;
}
