import type { Conversation, Message } from '@nolo/api';
import type { RealtimeStatus } from '../socket/realtime.ts';
import type { KnownPeople } from './people.ts';
import type { ConversationStanding } from '../keys/conversations/types.ts';
import type { LivePresence } from './presence.ts';
import type { Timeline } from './timeline.ts';

/** Known conversations, people, and connection state. Only `chatEngine` writes it. */
export interface ChatState {
  readonly selfId: string;
  readonly connection: RealtimeStatus;
  readonly list: 'loading' | 'ready' | 'error';
  readonly conversations: Readonly<Record<string, Conversation>>;
  readonly timelines: Readonly<Record<string, Timeline>>;
  /** False while the rows come from the device, which has no current presence. */
  readonly isPresenceKnown: boolean;
  /** Live presence. Overrides the presence in conversation rows and contacts. */
  readonly presence: LivePresence;
  /** Changes up to which each row is known, by conversation. */
  readonly knownUpTo: Readonly<Record<string, RowVersions>>;
  /** Typing people: conversation id, user id, end in milliseconds since the epoch. */
  readonly typing: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Names of senders and members by id. */
  readonly people: KnownPeople;
  /** Loaded parts of the past that the user jumped to, by conversation. */
  readonly windows: Readonly<Record<string, TimelineWindow>>;
  readonly originals: QuotedMessages;
  readonly optimisticUpdates: Readonly<Record<string, OptimisticUpdate>>;
  /** Known starred messages of the user. */
  readonly starred: Readonly<Record<string, true>>;
  /** Number of messages pending approval by group, if known. */
  readonly unapprovedCounts: Readonly<Record<string, number>>;
  /** Standings of opened conversations: what their epochs say, and how a message would go now. */
  readonly standings: Readonly<Record<string, ConversationStanding>>;
  /** Conversations that were seen sealed, on this device or on another one of the account, whatever the server says. */
  readonly seenSealed: Readonly<Record<string, true>>;
  /**
   * `seq` of the messages before which rows are missing that a message names, by sealed conversation, in ascending
   * order: "Something is missing here".
   */
  readonly gaps: Readonly<Record<string, readonly number[]>>;
  /** True if this client has a way to open and seal rows. Without it, sealed conversations are only listed. */
  readonly opensSealed: boolean;
  /** Last group that the user was removed from. */
  readonly removedFrom: { readonly conversationId: string; readonly name: string } | null;
}

/** `changeSeq` up to which each part of a row is known. Older changes must not overwrite it. */
export interface RowVersions {
  /** People missing from the members at this change are not members, and only a later change can add them. */
  readonly members: number;
  readonly memberCount: number;
  /** Name, picture, settings, code, and timer. */
  readonly meta: number;
}

/** Optimistic update of a message: requested but not yet confirmed, and shown as applied. */
export interface OptimisticUpdate {
  /** The user's reaction. Null: none. */
  readonly reaction?: string | null;
  readonly pinned?: boolean;
}

/** Quoted messages that are not loaded, by conversation and `seq`. Null: unavailable. */
export type QuotedMessages = Readonly<Record<string, Readonly<Record<number, Message | null>>>>;

/**
 * Part of a conversation's past that the user jumped to. It is gapless, but a gap separates it from the timeline.
 * Loading more closes the gap and merges the two.
 */
export interface TimelineWindow {
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly loadingOlder: boolean;
  readonly loadingNewer: boolean;
}
