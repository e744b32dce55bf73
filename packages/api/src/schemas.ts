import {
  conversationTypes,
  encryptions,
  fileKinds,
  languageChoices,
  limits,
  memberRoles,
  messageTypes,
  presenceStatuses,
  sendableMessageTypes,
  supportedLanguages,
} from '@nolo/rules';
import * as z from 'zod/mini';
import { conversationSettings } from './conversationSettings.ts';
import { extraFields } from './envelope.ts';
import { newSealed, seal } from './sealSchemas.ts';
import { preferences } from './preferenceSchemas.ts';
import { privacySettings } from './privacySettings.ts';

/** Shapes of spec section 3, as they appear in the API. Times are ISO 8601 strings in UTC. */

export const id = z.uuid();
export const time = z.iso.datetime();

export const presenceStatus = z.enum(presenceStatuses);

/** User as others may see them: without phone number and email address (decision 6). */
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
  // Accurate to the minute. Present only for users who appear offline, and only for viewers who may see it.
  lastSeenAt: z.optional(time),
});
export type User = z.infer<typeof user>;

/** The user's own account. */
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
  ...privacySettings.shape,
  /** Null if calls are unavailable. */
  relayCalls: z.nullable(z.boolean()),
  operator: z.optional(z.literal(true)),
  /** Issuers of the linked provider identities. */
  providerIssuers: z.array(z.string()),
  /** True if archived conversations stay archived when a message arrives. Otherwise unmuted ones leave the archive. */
  keepArchived: z.boolean(),
  /** Name by which others find the user without a phone number; null if unset. */
  username: z.nullable(z.string()),
  /** Language for all devices; null if never chosen. Without one, emails use the last known device language. */
  language: z.nullable(z.enum(languageChoices)),
  deviceLanguage: z.nullable(z.enum(supportedLanguages)),
  timeZone: z.nullable(z.string()),
  /** False until the name step after the first sign-in is done. */
  profileComplete: z.boolean(),
  sessionId: id,
  createdAt: time,
  updatedAt: time,
  /** User preferences for the app, shared by all devices. */
  preferences: z.optional(preferences),
  /** Deletion time of a closed account. Until then, the only possible action is to keep the account. */
  deletesAt: z.optional(time),
});
export type Self = z.infer<typeof self>;

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
  lastSeenAt: z.optional(time),
  /** Link to send to an unregistered contact, otherwise null. */
  invitationUrl: z.nullable(z.string()),
  createdAt: time,
});
export type Contact = z.infer<typeof contact>;

export const encryption = z.enum(encryptions);

export const memberRole = z.enum(memberRoles);

/** Sender of a message in a group or meeting conversation. */
export const sender = z.pick(user, { id: true, firstName: true, displayName: true, profileImageUrl: true });
export type Sender = z.infer<typeof sender>;

/** Reaction of a user to a message. A new reaction by the same user replaces it. */
export const reaction = z.object({ userId: id, emoji: z.string() });
export type Reaction = z.infer<typeof reaction>;

export const message = z.object({
  id,
  conversationId: id,
  senderId: id,
  /** Set in HTTP answers for groups and meetings. Null in frames, which are the same for everyone, and elsewhere. */
  sender: z.nullable(sender),
  /** Gapless per conversation, from 1. */
  seq: z.int(),
  /** Change of the conversation that this state belongs to. */
  changeSeq: z.int(),
  /**
   * Text of the message. For an encrypted message, and for clients that open envelopes, the sealed envelope
   * (packages/rules, envelope.ts), which for an encrypted message only its readers can open.
   * Empty in the tombstone of an erased message.
   */
  content: z.string(),
  encryption,
  /**
   * Sealed content that only the devices of members open (docs/encryption.md, section 5), in base64url. Absent or null
   * without one. `content` is then empty.
   */
  sealed: z.optional(z.nullable(z.string())),
  /** Data that the seal covers beside the fields of the message. Present for messages that are or were sealed. */
  seal: z.optional(seal),
  messageType: z.enum(messageTypes),
  clientMessageId: z.nullable(id),
  fileUrl: z.nullable(z.string()),
  fileName: z.nullable(z.string()),
  fileSize: z.nullable(z.int()),
  voiceMessageUrl: z.nullable(z.string()),
  /** Taken from the envelope, like the name, the transcription, `mediaInfo`, `linkPreview` and `extra`. */
  voiceMessageDuration: z.nullable(z.number()),
  voiceMessageTranscription: z.nullable(z.string()),
  /** Media details from the sender's client, as JSON; opaque to the server. */
  mediaInfo: z.nullable(z.string()),
  /** Preview frame of a video, as a separate file. */
  previewUrl: z.nullable(z.string()),
  mentions: z.array(id),
  /** Message that this one replies to. It may have been erased since, or predate the reader's membership. */
  replyTo: z.nullable(z.object({ seq: z.int(), messageId: id, senderId: id })),
  /** Set by the forwarding client. */
  forwarded: z.boolean(),
  /** Link preview from the sender's client, as JSON; opaque to the server. */
  linkPreview: z.nullable(z.string()),
  /** Further envelope fields from the sender's client; absent if there are no others. */
  extra: z.optional(z.record(z.string(), z.unknown())),
  /** Earliest first, at most `limits.reactionsPerMessage`. */
  reactions: z.array(reaction),
  pinnedAt: z.nullable(time),
  /** Time at which the message disappears or disappeared. */
  expiresAt: z.nullable(time),
  createdAt: time,
  editedAt: z.nullable(time),
  /** Time of erasure or disappearance. */
  deletedAt: z.nullable(time),
  /** True if the user hid the message for themselves: a tombstone without content. */
  hidden: z.optional(z.boolean()),
});
export type Message = z.infer<typeof message>;

/** Text of a message, or its envelope. Bytes are counted at sealing, with a separate error. */
export const messageText = z.string().check(z.maxLength(limits.messageEnvelopeBytes));

/** Maximum bytes of a body with an envelope, whose quotation marks and backslashes double in the JSON around it. */
export const envelopeBodyBytes = 2 * limits.messageEnvelopeBytes + 65_536;

/**
 * New message. The gateway seals `content`, the other fields of spec section 7, `mediaInfo`, `linkPreview` and `extra`
 * into one envelope. A client that seals it itself sends it as `envelope`, and none of the fields that belong inside.
 */
export const newMessage = z.object({
  conversationId: id,
  /** Required without `envelope`. */
  content: z.optional(messageText),
  /** Sealed envelope (ADR 39). */
  envelope: z.optional(messageText),
  /**
   * Content that the device sealed (docs/encryption.md, section 5), with `encryption` epochs and `clientMessageId`. No
   * other content is given.
   */
  sealed: z.optional(newSealed),
  messageType: z._default(z.enum(sendableMessageTypes), 'text'),
  encryption: z._default(encryption, 'none'),
  clientMessageId: z.optional(id),
  fileUrl: z.optional(z.string().check(z.maxLength(2_048))),
  fileName: z.optional(z.string().check(z.maxLength(1_024))),
  fileSize: z.optional(z.int().check(z.nonnegative())),
  voiceMessageUrl: z.optional(z.string().check(z.maxLength(2_048))),
  voiceMessageDuration: z.optional(z.number().check(z.nonnegative())),
  voiceMessageTranscription: z.optional(z.string().check(z.maxLength(65_536))),
  mediaInfo: z.optional(z.string().check(z.maxLength(limits.mediaInfoBytes))),
  previewUrl: z.optional(z.string().check(z.maxLength(2_048))),
  mentions: z.optional(z.array(id).check(z.maxLength(limits.mentionsPerMessage))),
  /** `seq` of the message that this one replies to. */
  replyToSeq: z.optional(z.int().check(z.positive())),
  forwarded: z.optional(z.boolean()),
  linkPreview: z.optional(z.string().check(z.maxLength(limits.linkPreviewBytes))),
  /** Fields for readers only, under names that clients choose. */
  extra: z.optional(extraFields),
  /** True if the content contains a link, which the server cannot see. Moderated groups need it (decision 16). */
  hasLink: z.optional(z.boolean()),
});
/** New message before it is sealed. */
export type NewMessage = Omit<z.input<typeof newMessage>, 'content' | 'envelope'> & { content: string };

/** File of a conversation. Its type comes from its bytes, not from the sender. */
export const file = z.object({
  id,
  /** Path of the bytes: `/objects/{id}`. `?size=` selects a smaller picture, `?download=` a file name for saving. */
  url: z.string(),
  name: z.string(),
  /** Bytes. */
  size: z.int(),
  contentType: z.string(),
  kind: z.enum(fileKinds),
  /** Pixels of a picture; null for other files. */
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  /** Smaller pictures, narrowest first. */
  thumbnails: z.array(z.object({ width: z.int(), url: z.string() })),
  /** Blurred miniature of a picture (ThumbHash) in Base64; null for other files. */
  thumbhash: z.nullable(z.string()),
  /** True for an animated picture. Its smaller versions are still. */
  moves: z.boolean(),
});
export type StoredFile = z.infer<typeof file>;

/** Message pending an admin's approval in a moderated group (decision 16). It has no `seq` until then. */
export const unapprovedMessageReply = z.object({
  held: z.literal(true),
  /** Id of the pending message. */
  id,
  conversationId: id,
  clientMessageId: z.nullable(id),
  createdAt: time,
});
export type UnapprovedMessageReply = z.infer<typeof unapprovedMessageReply>;

export const member = z.object({
  userId: id,
  role: memberRole,
  /** 0 if receipts are not shared. */
  deliveredSeq: z.int(),
  /** 0 if receipts are not shared. */
  readSeq: z.int(),
  changeSeq: z.int(),
  joinedAt: time,
  leftAt: z.nullable(time),
});
export type Member = z.infer<typeof member>;

/** Delivery and read cursors to move, up to a maximum number of conversations. */
export const readCursorMoves = z
  .array(
    z.object({
      conversationId: id,
      deliveredSeq: z.optional(z.int().check(z.nonnegative())),
      readSeq: z.optional(z.int().check(z.nonnegative())),
    }),
  )
  .check(z.minLength(1), z.maxLength(limits.cursorsAtOnce));

/** Member as frames report it to everyone alike: without receipts, which keep their known values. */
export const memberState = z.omit(member, { deliveredSeq: true, readSeq: true });
export type MemberState = z.infer<typeof memberState>;

export const groupSettings = z.object({
  allowScreenShare: z.boolean(),
  allowFileSharing: z.boolean(),
  allowRecording: z.boolean(),
  moderationEnabled: z.boolean(),
  /** Opposite of `isPublic`. */
  requireApproval: z.boolean(),
});
export type GroupSettings = z.infer<typeof groupSettings>;

/** Conversation data that is the same for every member, reported in the feed as a change of its own. */
export const conversationMeta = z.object({
  id,
  /**
   * Name of a group; null in a direct conversation, and in a meeting's conversation, because the meeting has its own
   * name.
   */
  name: z.nullable(z.string()),
  description: z.nullable(z.string()),
  pictureUrl: z.nullable(z.string()),
  /** Seconds after which new messages disappear; null if they stay. */
  disappearingSeconds: z.nullable(z.int()),
  /** First `seq` that had to be sealed; null or absent while the conversation has no epoch. */
  sealedFromSeq: z.optional(z.nullable(z.int())),
  /** True for a direct conversation in whose place its people began another one: it takes no more messages. */
  isReplaced: z.optional(z.boolean()),
  /** Null if not a group. */
  group: z.nullable(
    z.object({
      isPublic: z.boolean(),
      maxMembers: z.int(),
      /** Null if no code is active. */
      roomCode: z.nullable(z.string()),
      codeExpiresAt: z.nullable(time),
      settings: groupSettings,
      /** True if an invite link is active. The link itself is returned only once, at creation. */
      hasInvite: z.boolean(),
      inviteExpiresAt: z.nullable(time),
      /** Start of the group's ongoing call; null or absent if there is no call. */
      callSince: z.optional(z.nullable(time)),
    }),
  ),
});
export type ConversationMeta = z.infer<typeof conversationMeta>;

export { conversationSettings, type ConversationSettings } from './conversationSettings.ts';

/** Conversation row: the union of both variants in spec section 3 (decision 17). */
export const conversation = z.extend(conversationMeta, {
  type: z.enum(conversationTypes),
  /** Peer in a direct conversation; null in a group, or if the account is deleted. */
  otherUser: z.nullable(user),
  participant1: z.nullable(user),
  participant2: z.nullable(user),
  /**
   * Members: both of a direct conversation. Otherwise, in a list, the viewer and at most 4 others; fetched
   * individually, all members of a group of up to 32, whose receipts everyone receives. Larger groups have a separate,
   * paged member list.
   */
  members: z.array(member),
  memberCount: z.int(),
  myRole: memberRole,
  ...conversationSettings.shape,
  /** Complete latest message that the user has not hidden, with its time as `createdAt` and again as `timestamp`. */
  lastMessage: z.nullable(z.extend(message, { timestamp: time })),
  lastSeq: z.int(),
  changeSeq: z.int(),
  readSeq: z.int(),
  unreadCount: z.int(),
  /** Newest unread message that mentions the viewer; null if there is no mention. */
  mentionSeq: z.nullable(z.int()),
  /** Number of pending join requests; 0 or absent for members who cannot decide on them. */
  requestCount: z.optional(z.int()),
  createdAt: time,
  updatedAt: time,
});
export type Conversation = z.infer<typeof conversation>;

export const conversationChange = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), changeSeq: z.int(), message }),
  z.object({ type: z.literal('member'), changeSeq: z.int(), member }),
  z.object({ type: z.literal('conversation'), changeSeq: z.int(), conversation: conversationMeta }),
]);
export type ConversationChange = z.infer<typeof conversationChange>;

/** Metadata that the page behind a link provides. */
export const linkPreview = z.object({
  /** URL as requested. */
  url: z.string(),
  title: z.nullable(z.string()),
  description: z.nullable(z.string()),
  siteName: z.nullable(z.string()),
  /** data: URL of a JPEG, PNG, WebP, GIF or AVIF picture, as on the page. */
  image: z.nullable(z.string()),
});
export type LinkPreview = z.infer<typeof linkPreview>;

/** Body of every HTTP error (decision 18). */
export const errorBody = z.object({
  code: z.string(),
  message: z.string(),
  details: z.optional(z.record(z.string(), z.unknown())),
});
export type ErrorBody = z.infer<typeof errorBody>;
