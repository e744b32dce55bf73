import type { CallEndReason, CallType } from './meetings.ts';

export const memberRoles = ['owner', 'admin', 'member'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** Settings of what members may do in a group and how people join (spec section 3). */
export const groupSettingNames = [
  'allowScreenShare',
  'allowFileSharing',
  'allowRecording',
  'moderationEnabled',
] as const;
export type GroupSettingName = (typeof groupSettingNames)[number];

/** Past call in a direct conversation. */
export interface CallSystemMessage {
  readonly kind: 'call';
  readonly callId: string;
  readonly callType: CallType;
  readonly outcome: CallEndReason;
  /** Seconds of talk, rounded down; 0 if unanswered. */
  readonly durationSeconds: number;
  /** Time of the call, as ISO 8601; absent in older messages. */
  readonly calledAt?: string;
}

/** Event of a group or a conversation as a whole. The message's sender is the actor. */
export type ConversationSystemMessage =
  | { readonly kind: 'group_created'; readonly name: string }
  /** The sender joined: by the code or a link, or admitted by `admittedBy`. */
  | { readonly kind: 'member_joined'; readonly admittedBy?: string }
  | { readonly kind: 'member_added'; readonly userIds: readonly string[] }
  | { readonly kind: 'member_left' }
  | { readonly kind: 'member_removed'; readonly userId: string; readonly banned: boolean }
  | { readonly kind: 'role_changed'; readonly userId: string; readonly role: MemberRole }
  | { readonly kind: 'owner_changed'; readonly userId: string }
  | { readonly kind: 'name_changed'; readonly name: string }
  | { readonly kind: 'description_changed' }
  | { readonly kind: 'picture_changed'; readonly removed: boolean }
  | {
      readonly kind: 'settings_changed';
      /** Changed settings only. */
      readonly settings: Readonly<Partial<Record<GroupSettingName | 'isPublic', boolean>>>;
    }
  /** Null turns disappearing messages off. */
  | { readonly kind: 'timer_changed'; readonly seconds: number | null }
  | { readonly kind: 'message_pinned'; readonly messageId: string; readonly seq: number }
  /** Call that the sender started. */
  | {
      readonly kind: 'group_call';
      /** Null while the call continues and can be joined. */
      readonly durationSeconds: number | null;
      /** Time of the state, as ISO 8601. */
      readonly at: string;
    };

/** Content of a `system` message, which the server writes into a conversation; clients render it as text. */
export type SystemMessage = CallSystemMessage | ConversationSystemMessage;

const conversationSystemMessageKinds: ReadonlySet<string> = new Set<ConversationSystemMessage['kind']>([
  'group_created',
  'member_joined',
  'member_added',
  'member_left',
  'member_removed',
  'role_changed',
  'owner_changed',
  'name_changed',
  'description_changed',
  'picture_changed',
  'settings_changed',
  'timer_changed',
  'message_pinned',
  'group_call',
]);

/** Parses the content of a `system` message; null if a newer server wrote something unknown. */
export function readSystemMessage(content: string): SystemMessage | null {
  try {
    const read = JSON.parse(content) as { kind?: unknown; callId?: unknown } | null;
    if (typeof read?.kind !== 'string') return null;
    if (read.kind === 'call') return typeof read.callId === 'string' ? (read as CallSystemMessage) : null;
    return conversationSystemMessageKinds.has(read.kind) ? (read as ConversationSystemMessage) : null;
  } catch {
    return null;
  }
}

/** Returns the call in the content of a `system` message; null for other system messages. */
export function readCallSystemMessage(content: string): CallSystemMessage | null {
  const read = readSystemMessage(content);
  return read?.kind === 'call' ? read : null;
}
