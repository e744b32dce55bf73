import type { CallEndReason, CallType } from './meetings.ts';

export const memberRoles = ['owner', 'admin', 'member'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** What members may do in a group, and who comes in how (spec section 3). */
export const groupSettingNames = [
  'allowScreenShare',
  'allowFileSharing',
  'allowRecording',
  'moderationEnabled',
] as const;
export type GroupSettingName = (typeof groupSettingNames)[number];

/** A call that was, in a direct conversation. */
export interface CallNote {
  readonly kind: 'call';
  readonly callId: string;
  readonly callType: CallType;
  readonly outcome: CallEndReason;
  /** Seconds of talk, rounded down; 0 where nobody answered. */
  readonly durationSeconds: number;
  /** When somebody called, as ISO 8601; notes of before it was kept have none. */
  readonly calledAt?: string;
}

/** What happened to a group, or to a conversation as a whole. Who did it is the message's sender. */
export type ConversationNote =
  | { readonly kind: 'group_created'; readonly name: string }
  /** The sender came in: by the code or a link, or let in by `admittedBy`. */
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
      /** Only what changed. */
      readonly settings: Readonly<Partial<Record<GroupSettingName | 'isPublic', boolean>>>;
    }
  /** Null switches disappearing messages off. */
  | { readonly kind: 'timer_changed'; readonly seconds: number | null }
  | { readonly kind: 'message_pinned'; readonly messageId: string; readonly seq: number }
  /** A call that the sender began. */
  | {
      readonly kind: 'group_call';
      /** Null while it goes on, and can be joined. */
      readonly durationSeconds: number | null;
      /** Since when it is so, as ISO 8601. */
      readonly at: string;
    };

/** What the server itself writes into a conversation, as the content of a `system` message; clients put it into words. */
export type SystemMessage = CallNote | ConversationNote;

const conversationNotes: ReadonlySet<string> = new Set<ConversationNote['kind']>([
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

/** Reads the content of a `system` message; null where a newer server says something unknown. */
export function readSystemMessage(content: string): SystemMessage | null {
  try {
    const read = JSON.parse(content) as { kind?: unknown; callId?: unknown } | null;
    if (typeof read?.kind !== 'string') return null;
    if (read.kind === 'call') return typeof read.callId === 'string' ? (read as CallNote) : null;
    return conversationNotes.has(read.kind) ? (read as ConversationNote) : null;
  } catch {
    return null;
  }
}

/** The note of a call in the content of a `system` message; null where it tells of something else. */
export function readCallNote(content: string): CallNote | null {
  const read = readSystemMessage(content);
  return read?.kind === 'call' ? read : null;
}
