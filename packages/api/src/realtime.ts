import { socialPlatforms, socialPostStates, socketEventLimits, type SocketEventLimit } from '@nolo/rules';
import * as z from 'zod/mini';
import { meetingClientEvents, meetingServerEvents } from './realtimeMeetings.ts';
import {
  conversationMeta,
  conversationSettings,
  readCursorMoves,
  id,
  memberState,
  message,
  newMessage,
  presenceStatus,
  time,
} from './schemas.ts';
import { preferences } from './preferenceSchemas.ts';
import { announcement } from './announcements.ts';
import { baseStatusUpdate } from './statusSchemas.ts';

/**
 * The `/ws` protocol (docs/realtime.md): JSON text frames `{ type, id?, data }`. A frame with an `id` is a request and
 * is answered by `ack` or `error` with the same `id`.
 */

const requestId = z.optional(z.string().check(z.minLength(1), z.maxLength(64)));
const inConversation = z.object({ conversationId: id });
/** A group, identified by either its conversation id or its room code. */
const inGroup = z.object({ conversationId: z.optional(id), roomCode: z.optional(z.string().check(z.maxLength(20))) });

/** Events that a client may send. */
export const clientEvents = {
  /** Confirms the account of the socket. Another account's id is refused and closes the socket (decision 3). */
  authenticate: z.object({ userId: z.string().check(z.maxLength(64)) }),
  /** Enables typing events for this socket. Messages need no join. */
  join_conversation: inConversation,
  leave_conversation: inConversation,
  /** Same as `join_conversation`, for a group, which may be named by its code. Answered with its `conversationId`. */
  join_group_chat: inGroup,
  leave_group_chat: inGroup,
  /** Group message, as over HTTP. Answered with the message, or with the one that awaits approval. */
  group_chat_message: z.extend(z.omit(newMessage, { conversationId: true }), inGroup.shape),
  /** Repeated every few seconds during typing. Expires after `limits.typingTimeoutMs`. */
  typing_start: inConversation,
  typing_stop: inConversation,
  /** Delivery and read cursors of several conversations at once. Answered with the resulting cursors. */
  move_cursors: z.object({ cursors: readCursorMoves }),
  /**
   * True if the page is visible. Sent when the socket opens and whenever it changes. Visible clients receive no pushes.
   */
  visibility: z.object({ visible: z.boolean() }),
  /** Application-level liveness check for clients that cannot see ping frames. */
  ping: z.object({}),
  ...meetingClientEvents,
} as const;

export type ClientEventName = keyof typeof clientEvents;
/** Size limit of the frames of each event. */
export const clientEventLimits: Readonly<Record<ClientEventName, SocketEventLimit>> = socketEventLimits;
export type ClientEventData<N extends ClientEventName> = z.output<(typeof clientEvents)[N]>;

/** Envelope of every client frame. The event's own schema then validates `data`. */
export const clientFrame = z.object({
  type: z.string().check(z.maxLength(64)),
  id: requestId,
  data: z.optional(z.record(z.string(), z.unknown())),
});

/** Events that the server sends. */
export const serverEvents = {
  /** First frame of every socket. */
  hello: z.object({
    userId: id,
    sessionId: id,
    pingIntervalMs: z.int(),
    /** Current announcements by operators; absent without any. */
    announcements: z.optional(z.array(announcement)),
  }),
  /** Announcements have changed; contains all current ones. */
  announcements: z.object({ announcements: z.array(announcement) }),
  /** An operator changed a value that `GET /api/config` returns. */
  config_changed: z.object({}),
  ack: z.record(z.string(), z.unknown()),
  error: z.object({ code: z.string(), message: z.string(), retryAfterMs: z.optional(z.int()) }),
  new_message: message,
  /** Message edited, erased or pinned. */
  message_updated: message,
  /** A user reacted, replacing their previous reaction, or (null) removed it. Counts as a change of that message. */
  message_reaction: z.object({
    conversationId: id,
    messageId: id,
    seq: z.int(),
    changeSeq: z.int(),
    userId: id,
    emoji: z.nullable(z.string()),
  }),
  /** A member's shared cursors moved. Without `userId`, only the counter moved (receipts opt-out). */
  receipt: z.object({
    conversationId: id,
    changeSeq: z.int(),
    userId: z.optional(id),
    deliveredSeq: z.optional(z.int()),
    readSeq: z.optional(z.int()),
  }),
  /** Read positions, sent to authors in a group of more than `limits.receiptsToAllMembers`. Uses no `changeSeq`. */
  receipts: z.object({ conversationId: id, receipts: z.array(z.object({ userId: id, readSeq: z.int() })) }),
  /** The user's own read cursor moved, on any device. */
  read_cursor: z.object({ conversationId: id, readSeq: z.int(), unreadCount: z.int() }),
  conversation_created: inConversation,
  /** The conversation itself changed: name, picture, settings, code, timer. */
  conversation_updated: z.object({ conversationId: id, changeSeq: z.int(), conversation: conversationMeta }),
  /** Members joined, left or changed roles. Each of several is its own change: `changeSeq` is that of the last. */
  members_changed: z.object({
    conversationId: id,
    changeSeq: z.int(),
    memberCount: z.int(),
    members: z.array(memberState),
  }),
  /** The user is no longer a member, on any device. */
  conversation_removed: z.object({ conversationId: id, reason: z.enum(['left', 'removed', 'banned']) }),
  /** The user changed settings of a conversation, on any device. */
  conversation_settings: z.extend(conversationSettings, { conversationId: id }),
  /** The user starred a message or (null) removed the star, on any device. */
  message_starred: z.object({ conversationId: id, messageId: id, starredAt: z.nullable(time) }),
  /**
   * The user hid a message for themselves, on any device. Counts as a change of the conversation; other members learn
   * only that a change occurred.
   */
  message_hidden: z.object({ conversationId: id, messageId: id, seq: z.int(), changeSeq: z.int() }),
  /** Number of pending join requests, sent to owner and admins of a group. */
  join_requests_changed: z.object({ conversationId: id, count: z.int() }),
  /**
   * Number of messages that await approval, sent to owner and admins of a group. Authors receive the number of their
   * own.
   */
  held_messages_changed: z.object({ conversationId: id, count: z.int() }),
  /** A join request of the user was denied, or withdrawn on any device. */
  join_request_denied: z.object({ conversationId: id, withdrawn: z.optional(z.boolean()) }),
  /** The user asked to join a group, on any device. */
  join_request_sent: inConversation,
  /** An invitation to a group was created or ended. Sent to the members and the invited user. */
  group_invitations_changed: inConversation,
  typing_start: z.object({ conversationId: id, userId: id }),
  typing_stop: z.object({ conversationId: id, userId: id }),
  /** Presence of a user. The higher version is newer. */
  presence: z.object({
    userId: id,
    presenceStatus,
    statusMessage: z.string(),
    lastSeenAt: z.optional(time),
    version: z.int(),
  }),
  contacts_changed: z.object({}),
  /** The user's own profile or settings changed on another device. */
  self_changed: z.object({}),
  /** The user's preferences changed on any device. */
  preferences_changed: z.object({ preferences }),
  /** The archive of the account is ready, or creating it failed. */
  export_changed: z.object({ state: z.enum(['ready', 'failed']) }),
  /** A sign-in to the account occurred, or its sign-in methods changed (decision 38): fetch the notices. */
  notices_changed: z.object({}),
  /**
   * The device list of a person changed, or which of their devices are suspended. Sent to the person and to people who
   * share a conversation with them. The position is that of the newest list.
   */
  devices_changed: z.object({ userId: id, chain: z.int(), n: z.int() }),
  /** The link of a new device of the user began, continued, or ended. */
  device_link_changed: z.object({ id }),
  /** An epoch of a conversation began, or a request for its secret was answered. `n` is its number. */
  epochs_changed: z.object({ conversationId: z.guid(), n: z.int() }),
  /** The user's vault has another row. */
  vault_changed: z.object({ conversationId: z.guid(), row: z.int() }),
  /** A device of the user asks for a secret, or an answer arrived. */
  nacks_changed: z.object({ conversationId: z.guid() }),
  /** A status update was posted, by the user or by a person whose updates the user sees. */
  status_posted: baseStatusUpdate,
  /** The status update was removed before it expired. */
  status_removed: z.object({ statusId: id, userId: id }),
  /** A user viewed the status update. Sent to the author. */
  status_viewed: z.object({ statusId: id, userId: id, viewedAt: time }),
  /** The user viewed the status update, on any device. */
  status_seen: z.object({ statusId: id }),
  /** The user changed the audience of new status updates or muted authors, on any device. */
  status_settings_changed: z.object({}),
  /**
   * A social post or its result on a platform changed, on any device or by schedule: fetch it. State, or null if it is
   * deleted.
   */
  social_post_changed: z.object({ postId: id, state: z.nullable(z.enum(socialPostStates)) }),
  /** A platform account was connected, disconnected or selected, or must be reconnected. */
  social_connections_changed: z.object({ platform: z.enum(socialPlatforms) }),
  /** Frames may have been lost: fetch the changes. */
  sync_required: z.object({}),
  /** The session ended; the socket closes with code 4001. */
  session_ended: z.object({
    /** Set if an operator suspended the account. */
    suspended: z.optional(z.literal(true)),
  }),
  ...meetingServerEvents,
} as const;

export type ServerEventName = keyof typeof serverEvents;
export type ServerEventData<N extends ServerEventName> = z.output<(typeof serverEvents)[N]>;
export type ServerFrame = {
  [N in ServerEventName]: { type: N; id?: string; data: ServerEventData<N> };
}[ServerEventName];

/** Application-specific close codes, from the private range of RFC 6455 section 7.4.2. */
export const closeCodes = {
  sessionEnded: 4001,
  /** `authenticate` named another account. */
  wrongUser: 4003,
  /** The client did not read fast enough. It reconnects and catches up. */
  tooSlow: 4008,
  /** The client sent too many or too large frames. */
  misbehaved: 4009,
  /** The gateway is draining: reconnect elsewhere. */
  draining: 4012,
} as const;
