import {
  conversationTypes,
  encryptions,
  limits,
  messageTypes,
  presenceStatuses,
  presenceVisibilities,
  sendableMessageTypes,
} from '@nolo/rules';
import * as z from 'zod/mini';

/** The shapes of spec section 3, as they travel at the edge. Times are ISO 8601 strings in UTC. */

export const id = z.uuid();
export const time = z.iso.datetime();

export const presenceStatus = z.enum(presenceStatuses);
export const presenceVisibility = z.enum(presenceVisibilities);

/** A person as another may see them: no number and no mail address (decision 6). */
export const user = z.object({
  id,
  firstName: z.string(),
  lastName: z.string(),
  displayName: z.string(),
  profileImageUrl: z.nullable(z.string()),
  statusMessage: z.string(),
  presenceStatus,
  isOnline: z.boolean(),
  isContact: z.boolean(),
  isBlocked: z.boolean(),
});
export type User = z.infer<typeof user>;

/** One's own account. */
export const self = z.object({
  id,
  email: z.nullable(z.string()),
  phoneNumber: z.nullable(z.string()),
  firstName: z.string(),
  lastName: z.string(),
  displayName: z.string(),
  profileImageUrl: z.nullable(z.string()),
  statusMessage: z.string(),
  presenceStatus,
  presenceVisibility,
  discoverable: z.boolean(),
  /** Issuers of the linked provider identities. */
  providerIssuers: z.array(z.string()),
  /** Whether delivered and read receipts are shared; who does not share sees none. */
  shareReceipts: z.boolean(),
  /** Whether calls go through the SFU, so that the other side does not learn the address; null where calls are away. */
  relayCalls: z.nullable(z.boolean()),
  /** False until the name step after the first sign-in is done. */
  profileComplete: z.boolean(),
  /** The session that asked. */
  sessionId: id,
  createdAt: time,
  updatedAt: time,
});
export type Self = z.infer<typeof self>;

export const session = z.object({
  id,
  userAgent: z.string(),
  method: z.enum(['phone', 'provider']),
  createdAt: time,
  lastUsedAt: time,
  current: z.boolean(),
});
export type Session = z.infer<typeof session>;

export const contact = z.object({
  id,
  /** Null while the number is not registered: an invitation (decision 6). */
  userId: z.nullable(id),
  displayName: z.string(),
  phoneNumber: z.nullable(z.string()),
  profileImageUrl: z.nullable(z.string()),
  presenceStatus,
  statusMessage: z.string(),
  isBlocked: z.boolean(),
  /** The link to send to someone who is not registered, otherwise null. */
  invitationUrl: z.nullable(z.string()),
  createdAt: time,
});
export type Contact = z.infer<typeof contact>;

export const encryption = z.enum(encryptions);

export const message = z.object({
  id,
  conversationId: id,
  senderId: id,
  /** Dense per conversation from 1. */
  seq: z.int(),
  /** The conversation's change that this state belongs to. */
  changeSeq: z.int(),
  /** Opaque to the server; empty in the tombstone of an erased message. */
  content: z.string(),
  encryption,
  messageType: z.enum(messageTypes),
  clientMessageId: z.nullable(id),
  fileUrl: z.nullable(z.string()),
  fileName: z.nullable(z.string()),
  fileSize: z.nullable(z.int()),
  voiceMessageUrl: z.nullable(z.string()),
  voiceMessageDuration: z.nullable(z.number()),
  voiceMessageTranscription: z.nullable(z.string()),
  mentions: z.array(id),
  createdAt: time,
  editedAt: z.nullable(time),
  deletedAt: z.nullable(time),
});
export type Message = z.infer<typeof message>;

/** A message's attachment fields, as a client sends them (spec section 7). */
export const newMessage = z.object({
  conversationId: id,
  content: z.string(),
  messageType: z._default(z.enum(sendableMessageTypes), 'text'),
  encryption: z._default(encryption, 'none'),
  clientMessageId: z.optional(id),
  fileUrl: z.optional(z.string().check(z.maxLength(2_048))),
  fileName: z.optional(z.string().check(z.maxLength(1_024))),
  fileSize: z.optional(z.int().check(z.nonnegative())),
  voiceMessageUrl: z.optional(z.string().check(z.maxLength(2_048))),
  voiceMessageDuration: z.optional(z.number().check(z.nonnegative())),
  voiceMessageTranscription: z.optional(z.string().check(z.maxLength(65_536))),
  mentions: z.optional(z.array(id).check(z.maxLength(limits.mentionsPerMessage))),
});
export type NewMessage = z.input<typeof newMessage>;

export const member = z.object({
  userId: id,
  role: z.enum(['owner', 'admin', 'member']),
  /** 0 where receipts are not shared. */
  deliveredSeq: z.int(),
  /** 0 where receipts are not shared. */
  readSeq: z.int(),
  changeSeq: z.int(),
  joinedAt: time,
  leftAt: z.nullable(time),
});
export type Member = z.infer<typeof member>;

/** A conversation row: the union of both variants of spec section 3 (decision 17). */
export const conversation = z.object({
  id,
  type: z.enum(conversationTypes),
  /** The other person of a direct conversation; null in a group, or when the account is gone. */
  otherUser: z.nullable(user),
  participant1: z.nullable(user),
  participant2: z.nullable(user),
  members: z.array(member),
  /** The whole latest message, with its time as `createdAt` and again as `timestamp`. */
  lastMessage: z.nullable(z.extend(message, { timestamp: time })),
  lastSeq: z.int(),
  changeSeq: z.int(),
  readSeq: z.int(),
  unreadCount: z.int(),
  createdAt: time,
  updatedAt: time,
});
export type Conversation = z.infer<typeof conversation>;

export const change = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), changeSeq: z.int(), message }),
  z.object({ type: z.literal('member'), changeSeq: z.int(), member }),
]);
export type Change = z.infer<typeof change>;

/** Every error over HTTP (decision 18). */
export const errorBody = z.object({
  code: z.string(),
  message: z.string(),
  details: z.optional(z.record(z.string(), z.unknown())),
});
export type ErrorBody = z.infer<typeof errorBody>;

/** What the instance can do; a control is shown only when its feature is here (decision 33). */
export const features = z.object({
  phoneSignIn: z.boolean(),
  providerSignIn: z.boolean(),
  chat: z.boolean(),
  calls: z.boolean(),
  meetings: z.boolean(),
  groups: z.boolean(),
  files: z.boolean(),
  voiceNotes: z.boolean(),
  transcription: z.boolean(),
  status: z.boolean(),
  social: z.boolean(),
  billing: z.boolean(),
  endToEndEncryption: z.boolean(),
});
export type Features = z.infer<typeof features>;

export const config = z.object({
  demoMode: z.boolean(),
  /** Only in demo mode (decision 5). */
  demoCode: z.optional(z.string()),
  /** Where demo mode shows outgoing SMS and mail; only in demo mode. */
  outboxUrl: z.optional(z.string()),
  version: z.string(),
  limits: z.record(z.string(), z.number()),
  features,
});
export type Config = z.infer<typeof config>;
