import { socialPlatforms, socialPostStates, socketEventLimits, type SocketEventLimit } from '@nolo/rules';
import * as z from 'zod/mini';
import { meetingClientEvents, meetingServerEvents } from './realtimeMeetings.ts';
import {
  conversationMeta,
  conversationSettings,
  cursorMoves,
  id,
  memberState,
  message,
  newMessage,
  presenceStatus,
  time,
} from './schemas.ts';
import { preferences } from './preferenceSchemas.ts';
import { announcement } from './announcements.ts';
import { statusState } from './statusSchemas.ts';

/**
 * The `/ws` protocol (docs/realtime.md): JSON text frames `{ type, id?, data }`. A frame with an `id` is a request and
 * is answered by `ack` or `error` with the same `id`.
 */

const requestId = z.optional(z.string().check(z.minLength(1), z.maxLength(64)));
const inConversation = z.object({ conversationId: id });
/** A group by the id of its conversation or by its room code: one of the two. */
const inGroup = z.object({ conversationId: z.optional(id), roomCode: z.optional(z.string().check(z.maxLength(20))) });

/** What a client may send. */
export const clientEvents = {
  /** Confirms who the socket belongs to; another's id is refused and closes the socket (decision 3). */
  authenticate: z.object({ userId: z.string().check(z.maxLength(64)) }),
  /** Scopes typing to this socket; messages need no join. */
  join_conversation: inConversation,
  leave_conversation: inConversation,
  /** The same for a group, which may be named by its code; answered with its `conversationId`. */
  join_group_chat: inGroup,
  leave_group_chat: inGroup,
  /** A message to a group, as over HTTP; answered with the message, or with the one that waits for approval. */
  group_chat_message: z.extend(z.omit(newMessage, { conversationId: true }), inGroup.shape),
  /** Repeated every few seconds while typing; ends by itself after `limits.typingTimeoutMs`. */
  typing_start: inConversation,
  typing_stop: inConversation,
  /** How far messages arrived and were read, of several conversations at once; answered with the cursors as they are. */
  move_cursors: z.object({ cursors: cursorMoves }),
  /** Whether somebody looks at the page; told when the socket opens and whenever it changes. Nothing is pushed to who looks. */
  visibility: z.object({ visible: z.boolean() }),
  /** Application-level liveness for clients that cannot see ping frames. */
  ping: z.object({}),
  ...meetingClientEvents,
} as const;

export type ClientEventName = keyof typeof clientEvents;
/** What a frame of each event may weigh. */
export const clientEventLimits: Readonly<Record<ClientEventName, SocketEventLimit>> = socketEventLimits;
export type ClientEventData<N extends ClientEventName> = z.output<(typeof clientEvents)[N]>;

/** The envelope of every client frame; `data` is then checked by the event's own schema. */
export const clientFrame = z.object({
  type: z.string().check(z.maxLength(64)),
  id: requestId,
  data: z.optional(z.record(z.string(), z.unknown())),
});

/** What the server sends. */
export const serverEvents = {
  /** First frame of every socket. */
  hello: z.object({
    userId: id,
    sessionId: id,
    pingIntervalMs: z.int(),
    /** What operators tell everybody now; absent where they tell nothing. */
    announcements: z.optional(z.array(announcement)),
  }),
  /** What operators tell everybody has changed: all of it. */
  announcements: z.object({ announcements: z.array(announcement) }),
  /** An operator changed something that `GET /api/config` says. */
  config_changed: z.object({}),
  ack: z.record(z.string(), z.unknown()),
  error: z.object({ code: z.string(), message: z.string(), retryAfterMs: z.optional(z.int()) }),
  new_message: message,
  /** Edited, erased, pinned. */
  message_updated: message,
  /** Somebody reacted, in place of their reaction before, or (null) no longer. It is a change of that message. */
  message_reaction: z.object({
    conversationId: id,
    messageId: id,
    seq: z.int(),
    changeSeq: z.int(),
    userId: id,
    emoji: z.nullable(z.string()),
  }),
  /** A member's shared cursors moved. Without `userId` the counter moved and nothing else is told (receipts opt-out). */
  receipt: z.object({
    conversationId: id,
    changeSeq: z.int(),
    userId: z.optional(id),
    deliveredSeq: z.optional(z.int()),
    readSeq: z.optional(z.int()),
  }),
  /** To authors in a group of more than `limits.receiptsToAllMembers`: who has read how far. It takes no `changeSeq`. */
  receipts: z.object({ conversationId: id, receipts: z.array(z.object({ userId: id, readSeq: z.int() })) }),
  /** One's own read cursor moved, on any device. */
  read_cursor: z.object({ conversationId: id, readSeq: z.int(), unreadCount: z.int() }),
  conversation_created: inConversation,
  /** What the conversation is as a whole changed: name, picture, settings, code, timer. */
  conversation_updated: z.object({ conversationId: id, changeSeq: z.int(), conversation: conversationMeta }),
  /** Members came, went or got another role. Several at once are a change each: `changeSeq` is that of the last. */
  members_changed: z.object({
    conversationId: id,
    changeSeq: z.int(),
    memberCount: z.int(),
    members: z.array(memberState),
  }),
  /** One is in it no longer, on any device. */
  conversation_removed: z.object({ conversationId: id, reason: z.enum(['left', 'removed', 'banned']) }),
  /** One chose something for a conversation, on any device. */
  conversation_settings: z.extend(conversationSettings, { conversationId: id }),
  /** One starred a message, or no longer (null), on any device. */
  message_starred: z.object({ conversationId: id, messageId: id, starredAt: z.nullable(time) }),
  /** One hid a message from oneself, on any device; a change of the conversation, of which others learn only that there was one. */
  message_hidden: z.object({ conversationId: id, messageId: id, seq: z.int(), changeSeq: z.int() }),
  /** To owner and admins of a group: so many wait to be let in. */
  join_requests_changed: z.object({ conversationId: id, count: z.int() }),
  /** To owner and admins of a group, and to the author: so many messages wait for approval; for authors, so many of theirs. */
  held_messages_changed: z.object({ conversationId: id, count: z.int() }),
  /** A request of one's own was turned down, or taken back on any device. */
  join_request_denied: z.object({ conversationId: id, withdrawn: z.optional(z.boolean()) }),
  /** One asked to be let into a group, on any device. */
  join_request_sent: inConversation,
  /** To the members of a group, and to whom it concerns: somebody is invited to it, or no longer. */
  group_invitations_changed: inConversation,
  typing_start: z.object({ conversationId: id, userId: id }),
  typing_stop: z.object({ conversationId: id, userId: id }),
  /** Of two frames about one person, the one with the higher version is newer. */
  presence: z.object({
    userId: id,
    presenceStatus,
    statusMessage: z.string(),
    lastSeenAt: z.optional(time),
    version: z.int(),
  }),
  contacts_changed: z.object({}),
  /** One's own profile or settings changed on another device. */
  self_changed: z.object({}),
  /** What one likes was chosen on another device, or this one. */
  preferences_changed: z.object({ preferences }),
  /** The archive of one's account is ready, or could not be made. */
  export_changed: z.object({ state: z.enum(['ready', 'failed']) }),
  /** Somebody signed in to one's account, or changed how one signs in (decision 38): ask for the notices. */
  notices_changed: z.object({}),
  /** Somebody whose status updates one sees has posted one, or oneself has. */
  status_posted: statusState,
  /** It is gone before its time. */
  status_removed: z.object({ statusId: id, userId: id }),
  /** To the author: somebody has looked at it. */
  status_viewed: z.object({ statusId: id, userId: id, viewedAt: time }),
  /** One has looked at it, on any device. */
  status_seen: z.object({ statusId: id }),
  /** One chose whom new ones are for, or whose are muted, on any device. */
  status_settings_changed: z.object({}),
  /**
   * A post to social platforms changed, or what became of it somewhere, on any device or by its time: ask for it. Its state,
   * or null where it is gone.
   */
  social_post_changed: z.object({ postId: id, state: z.nullable(z.enum(socialPostStates)) }),
  /** An account at the platform was connected, disconnected or chosen, or has to be connected again. */
  social_connections_changed: z.object({ platform: z.enum(socialPlatforms) }),
  /** Frames may have been lost: ask for what changed. */
  sync_required: z.object({}),
  /** The session ended; the socket closes with code 4001. */
  session_ended: z.object({
    /** Where an operator keeps the account out. */
    suspended: z.optional(z.literal(true)),
  }),
  ...meetingServerEvents,
} as const;

export type ServerEventName = keyof typeof serverEvents;
export type ServerEventData<N extends ServerEventName> = z.output<(typeof serverEvents)[N]>;
export type ServerFrame = {
  [N in ServerEventName]: { type: N; id?: string; data: ServerEventData<N> };
}[ServerEventName];

/** Close codes of our own, from the private range of RFC 6455 section 7.4.2. */
export const closeCodes = {
  sessionEnded: 4001,
  /** `authenticate` named another account. */
  wrongUser: 4003,
  /** The client did not read fast enough; it reconnects and catches up. */
  tooSlow: 4008,
  /** Too many or too large frames. */
  misbehaved: 4009,
  /** The gateway drains; reconnect elsewhere. */
  draining: 4012,
} as const;
