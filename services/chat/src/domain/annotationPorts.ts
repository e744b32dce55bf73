import type { ChangeEpoch } from './epochPorts.ts';
import type { ConversationId, MessageId, UserId } from '@nolo/kit/ids';
import type { ConversationType, MemberRole } from '@nolo/rules';
import type { ConversationSettings } from './conversation.ts';
import type { StarCursor } from './cursor.ts';
import type { StoredMessage } from './message.ts';
import type { MessageRequestRefusal, SealOutcome } from './ports.ts';
import type { NewSealedAnnotation } from './seals.ts';

/** Message with the data that determines who may do what to it. */
export interface MessageWithRights {
  readonly message: StoredMessage;
  /** Author of the draft that the message approves, otherwise its sender. */
  readonly authorId: UserId;
  /** True if the conversation accepts only sealed content. */
  readonly isSealed: boolean;
  readonly conversationType: ConversationType;
  readonly role: MemberRole;
  /** True if either person of a direct conversation blocked the other. */
  readonly blocked: boolean;
  /** Reason why the viewer's messages do not reach the other person of a direct conversation. */
  readonly refusal: MessageRequestRefusal | null;
}

interface Star {
  readonly message: StoredMessage;
  readonly starredAt: Date;
}

/**
 * Stores actions on existing messages. Callers check permissions first; the store rechecks what may have changed since.
 */
export interface MessageAnnotationStore {
  /** Returns the message as in `MessageStore.find`. */
  find(actorId: UserId, id: MessageId): Promise<MessageWithRights | undefined>;
  /**
   * Sets a reaction. Returns undefined if nothing changes: the message is gone, the actor left, the reaction is the
   * same, the limit is reached, or the conversation accepts only sealed ones.
   */
  react(actorId: UserId, id: MessageId, emoji: string | null, at: Date): Promise<StoredMessage | undefined>;
  /** Stores a sealed reaction in place of the actor's earlier one, like `react`, or returns why it was sealed wrong. */
  reactSealed(
    actorId: UserId,
    message: StoredMessage,
    reaction: NewSealedAnnotation,
    at: Date,
  ): Promise<StoredMessage | SealOutcome | undefined>;
  /**
   * Pins or unpins like `react`, with a system message about a new pin. Returns 'full' if the limit is reached, or the
   * reason why the system message cannot reach the other person, or why the pin was not sealed right.
   *
   * @param sealed sealed pin; undefined for one that is not sealed, and to unpin
   */
  pin(
    actorId: UserId,
    message: StoredMessage,
    pinned: boolean,
    at: Date,
    sealed?: NewSealedAnnotation,
  ): Promise<StoredMessage | SealOutcome | 'full' | 'blocked' | MessageRequestRefusal | undefined>;
  /**
   * Stars or unstars a message and notifies the actor's devices. Returns 'full' if the limit is reached, false if
   * nothing changed.
   */
  star(actorId: UserId, message: StoredMessage, starred: boolean, at: Date): Promise<boolean | 'full'>;
  /** Lists stars of the actor's current conversations, latest first, after `place`. */
  starred(actorId: UserId, place: StarCursor | undefined, limit: number): Promise<Star[]>;
  /** Lists pinned messages, latest first. Returns undefined if the actor is not a member. */
  pinned(actorId: UserId, conversationId: ConversationId): Promise<StoredMessage[] | undefined>;
  /** Removes up to `limit` reactions of a person in a conversation. Returns their number. */
  dropReactionsOf(userId: UserId, conversationId: ConversationId, limit: number, at: Date): Promise<number>;
  dropStarsOf(userId: UserId): Promise<void>;
}

/** Changes of a member's own settings. Undefined fields stay. */
interface ConversationSettingsPatch {
  readonly archived?: boolean;
  readonly pinned?: boolean;
  /** Time until which it is muted. Null unmutes it. */
  readonly mutedUntil?: Date | null;
  readonly mutedExceptMentions?: boolean;
  readonly markedUnread?: boolean;
  /** True accepts the waiting person. */
  readonly accepted?: true;
}

export interface ConversationSettingsStore {
  /** Changes settings and notifies the actor's devices of changes. Returns undefined if the actor is not a member. */
  change(
    actorId: UserId,
    conversationId: ConversationId,
    change: ConversationSettingsPatch,
    at: Date,
  ): Promise<{ settings: ConversationSettings; changed: boolean } | 'full' | undefined>;
}

/** Stores what people hide for themselves. */
export interface HidingStore {
  /**
   * Hides a message for the actor and returns what remains of it, even if already hidden. Returns undefined if the
   * actor cannot see it.
   */
  hide(actorId: UserId, id: MessageId, at: Date): Promise<StoredMessage | undefined>;
  /** Hides all messages so far. Returns undefined if the actor is not a member. */
  clear(
    actorId: UserId,
    conversationId: ConversationId,
    fromList: boolean,
    at: Date,
  ): Promise<ConversationSettings | undefined>;
  forget(userId: UserId): Promise<void>;
}

export interface DisappearingTimerStore {
  /**
   * Sets the timer, with a system message to everyone. Returns false if it was already set or the actor left, or the
   * reason why the message cannot reach the other person. The epoch, if any, is begun with it.
   *
   * @throws encryption_required if the conversation has epochs and none goes with the change
   */
  set(
    actorId: UserId,
    conversationId: ConversationId,
    seconds: number | null,
    at: Date,
    epoch?: ChangeEpoch,
  ): Promise<boolean | 'blocked' | MessageRequestRefusal>;
  /** Replaces up to `limit` expired messages with tombstones. Returns their expiry times. */
  eraseExpired(limit: number, at: Date): Promise<Date[]>;
  /** Deletes up to `limit` held messages that expired. Returns their number. */
  dropExpiredUnapproved(limit: number, at: Date): Promise<number>;
  /** Returns when the next message, held or not, expires. */
  nextExpiry(): Promise<Date | undefined>;
  /** Returns since when the oldest expired message is overdue. */
  overdueSince(at: Date): Promise<Date | undefined>;
}
