import {
  conversationTypes,
  encryptions,
  fileKinds,
  languageChoices,
  limits,
  memberRoles,
  messageTypes,
  presenceStatuses,
  presenceVisibilities,
  sendableMessageTypes,
  writtenLanguages,
} from '@nolo/rules';
import * as z from 'zod/mini';
import { conversationSettings } from './conversationSettings.ts';
import { extraFields } from './envelope.ts';
import { preferences } from './preferenceSchemas.ts';
import { whoMay } from './whoMay.ts';

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
  lastSeenAt: z.optional(time), // To the minute; only of whoever looks offline, to those who may see it.
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
  ...whoMay.shape,
  discoverable: z.boolean(),
  operator: z.optional(z.literal(true)),
  /** Issuers of the linked provider identities. */
  providerIssuers: z.array(z.string()),
  /** Whether delivered and read receipts are shared; who does not share sees none. */
  shareReceipts: z.boolean(),
  /** Whether what is in the archive stays there when somebody writes; otherwise what is not muted comes out of it. */
  keepArchived: z.boolean(),
  /** Whether calls go through the SFU, so that the other side does not learn the address; null where calls are away. */
  relayCalls: z.nullable(z.boolean()),
  /** By what one is found without a number; null where one has none. */
  username: z.nullable(z.string()),
  transcribeVoiceNotes: z.boolean(), // What one sends is written down (decision 32); off until one wants it.
  /** Chosen for all devices; null where nothing ever was. Mails go by the device that was last told of where none is. */
  language: z.nullable(z.enum(languageChoices)),
  deviceLanguage: z.nullable(z.enum(writtenLanguages)),
  timeZone: z.nullable(z.string()),
  /** False until the name step after the first sign-in is done; then the session that asked. */
  profileComplete: z.boolean(),
  sessionId: id,
  createdAt: time,
  updatedAt: time,
  /** How one likes the app on all devices. */
  preferences: z.optional(preferences),
  /** When the account is deleted, where it is closed: until then all one can do is keep it. */
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
  /** The link to send to someone who is not registered, otherwise null. */
  invitationUrl: z.nullable(z.string()),
  createdAt: time,
});
export type Contact = z.infer<typeof contact>;

export const encryption = z.enum(encryptions);

export const memberRole = z.enum(memberRoles);

/** Whom a message in a group or beside a meeting is from. */
export const sender = z.pick(user, { id: true, firstName: true, displayName: true, profileImageUrl: true });
export type Sender = z.infer<typeof sender>;

/** One person's reaction to a message; another one by the same person takes its place. */
export const reaction = z.object({ userId: id, emoji: z.string() });
export type Reaction = z.infer<typeof reaction>;

export const message = z.object({
  id,
  conversationId: id,
  senderId: id,
  /** Filled in answers over HTTP, for groups and meetings; null in frames, which are the same for everyone, and elsewhere. */
  sender: z.nullable(sender),
  /** Dense per conversation from 1. */
  seq: z.int(),
  /** The conversation's change that this state belongs to. */
  changeSeq: z.int(),
  /**
   * The words; of an encrypted message the sealed envelope (envelope.ts), which nobody but its readers opens. Empty in the
   * tombstone of an erased message.
   */
  content: z.string(),
  encryption,
  messageType: z.enum(messageTypes),
  clientMessageId: z.nullable(id),
  fileUrl: z.nullable(z.string()),
  fileName: z.nullable(z.string()),
  fileSize: z.nullable(z.int()),
  voiceMessageUrl: z.nullable(z.string()),
  /** This one, like the name, the transcription, `mediaInfo`, `linkPreview` and `extra`, is out of the envelope. */
  voiceMessageDuration: z.nullable(z.number()),
  voiceMessageTranscription: z.nullable(z.string()),
  /** What the sender's client said of the medium, as JSON; opaque to the server. */
  mediaInfo: z.nullable(z.string()),
  /** A still picture of a video, as a file of its own. */
  previewUrl: z.nullable(z.string()),
  mentions: z.array(id),
  /** The message that this one answers; it may be erased meanwhile, or lie before the reader's time. */
  replyTo: z.nullable(z.object({ seq: z.int(), messageId: id, senderId: id })),
  /** Said by the client that forwarded it. */
  forwarded: z.boolean(),
  /** What the sender's client made of a link in the message, as JSON; opaque to the server. */
  linkPreview: z.nullable(z.string()),
  /** What else the sender's client put into the envelope; absent where there is nothing. */
  extra: z.optional(z.record(z.string(), z.unknown())),
  /** At most `limits.reactionsPerMessage`, earliest first. */
  reactions: z.array(reaction),
  pinnedAt: z.nullable(time),
  /** When it disappears, or disappeared. */
  expiresAt: z.nullable(time),
  createdAt: time,
  editedAt: z.nullable(time),
  /** Erased, or disappeared. */
  deletedAt: z.nullable(time),
  /** One has hidden it from oneself: a tombstone of which nothing is shown. */
  hidden: z.optional(z.boolean()),
});
export type Message = z.infer<typeof message>;

/** The text of a message, or its envelope. Its bytes are counted when it is sealed, with an error of its own. */
export const writtenContent = z.string().check(z.maxLength(limits.messageEnvelopeBytes));

/**
 * A new message. The fields of spec section 7, and `mediaInfo`, `linkPreview` and `extra`, are sealed into one envelope by
 * the edge. A client that encrypts sends the envelope as `content`, and nothing beside it of what belongs inside.
 */
export const newMessage = z.object({
  conversationId: id,
  content: writtenContent,
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
  /** The `seq` of the message that this one answers. */
  replyToSeq: z.optional(z.int().check(z.positive())),
  forwarded: z.optional(z.boolean()),
  linkPreview: z.optional(z.string().check(z.maxLength(limits.linkPreviewBytes))),
  /** For readers alone, under names of the clients' own. */
  extra: z.optional(extraFields),
  /** Whether the content holds a link, which the server cannot see: a moderated group asks (decision 16). */
  hasLink: z.optional(z.boolean()),
});
export type NewMessage = z.input<typeof newMessage>;

/** A file of a conversation, as its bytes say that it is and not as whoever sent it says. */
export const file = z.object({
  id,
  /** Where its bytes are: `/objects/{id}`. `?size=` gives a smaller picture, `?download=` a name to save it under. */
  url: z.string(),
  name: z.string(),
  /** Bytes. */
  size: z.int(),
  contentType: z.string(),
  kind: z.enum(fileKinds),
  /** Pixels of a picture; null for all else. */
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  /** Smaller pictures, narrowest first. */
  thumbnails: z.array(z.object({ width: z.int(), url: z.string() })),
  /** A blurred miniature of a picture (ThumbHash) in Base64; null for all else. */
  thumbhash: z.nullable(z.string()),
  /** Whether it is a picture that moves. Its smaller ones stand still. */
  moves: z.boolean(),
});
export type File = z.infer<typeof file>;

/** A message that waits until an admin lets it into a moderated group (decision 16); it has no `seq` until then. */
export const heldMessage = z.object({
  held: z.literal(true),
  /** Under which it waits. */
  id,
  conversationId: id,
  clientMessageId: z.nullable(id),
  createdAt: time,
});
export type HeldMessage = z.infer<typeof heldMessage>;

export const member = z.object({
  userId: id,
  role: memberRole,
  /** 0 where receipts are not shared. */
  deliveredSeq: z.int(),
  /** 0 where receipts are not shared. */
  readSeq: z.int(),
  changeSeq: z.int(),
  joinedAt: time,
  leftAt: z.nullable(time),
});
export type Member = z.infer<typeof member>;

/** How far messages of conversations arrived and were read: at most so many conversations at once. */
export const cursorMoves = z
  .array(
    z.object({
      conversationId: id,
      deliveredSeq: z.optional(z.int().check(z.nonnegative())),
      readSeq: z.optional(z.int().check(z.nonnegative())),
    }),
  )
  .check(z.minLength(1), z.maxLength(limits.cursorsAtOnce));

/** A member as frames tell it to everyone alike: without receipts, which stay as they are known. */
export const memberState = z.omit(member, { deliveredSeq: true, readSeq: true });
export type MemberState = z.infer<typeof memberState>;

export const groupSettings = z.object({
  allowScreenShare: z.boolean(),
  allowFileSharing: z.boolean(),
  allowRecording: z.boolean(),
  moderationEnabled: z.boolean(),
  /** The opposite of `isPublic`. */
  requireApproval: z.boolean(),
});
export type GroupSettings = z.infer<typeof groupSettings>;

/** What a conversation is as a whole, the same for every member: a change of its own in the feed. */
export const conversationMeta = z.object({
  id,
  /** Of a group; null in a direct conversation, and beside a meeting, which has its own. */
  name: z.nullable(z.string()),
  description: z.nullable(z.string()),
  pictureUrl: z.nullable(z.string()),
  /** Seconds after which new messages disappear; null where they stay. */
  disappearingSeconds: z.nullable(z.int()),
  /** Null for what is no group. */
  group: z.nullable(
    z.object({
      isPublic: z.boolean(),
      maxMembers: z.int(),
      /** Null while none is in force. */
      roomCode: z.nullable(z.string()),
      codeExpiresAt: z.nullable(time),
      settings: groupSettings,
      /** Whether an invite link is in force. The link itself is told once, when it is made. */
      hasInvite: z.boolean(),
      inviteExpiresAt: z.nullable(time),
      /** Since when a call goes on in the group; null or absent while none does. */
      callSince: z.optional(z.nullable(time)),
    }),
  ),
});
export type ConversationMeta = z.infer<typeof conversationMeta>;

export { conversationSettings, type ConversationSettings } from './conversationSettings.ts';

/** A conversation row: the union of both variants of spec section 3 (decision 17). */
export const conversation = z.extend(conversationMeta, {
  type: z.enum(conversationTypes),
  /** The other person of a direct conversation; null in a group, or when the account is gone. */
  otherUser: z.nullable(user),
  participant1: z.nullable(user),
  participant2: z.nullable(user),
  /**
   * Both of a direct conversation. Otherwise, in a list, the viewer and at most 4 others; asked for by itself, all of up
   * to 32, for these tell everybody of their receipts. Those of a larger one are paged by themselves.
   */
  members: z.array(member),
  memberCount: z.int(),
  myRole: memberRole,
  ...conversationSettings.shape,
  /** The whole latest message that one has not hidden, with its time as `createdAt` and again as `timestamp`. */
  lastMessage: z.nullable(z.extend(message, { timestamp: time })),
  lastSeq: z.int(),
  changeSeq: z.int(),
  readSeq: z.int(),
  unreadCount: z.int(),
  /** The newest unread message that mentions the viewer; null where there is none. */
  mentionSeq: z.nullable(z.int()),
  /** How many wait to be let into the group; 0 or absent for those who do not decide about it. */
  requestCount: z.optional(z.int()),
  createdAt: time,
  updatedAt: time,
});
export type Conversation = z.infer<typeof conversation>;

export const change = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), changeSeq: z.int(), message }),
  z.object({ type: z.literal('member'), changeSeq: z.int(), member }),
  z.object({ type: z.literal('conversation'), changeSeq: z.int(), conversation: conversationMeta }),
]);
export type Change = z.infer<typeof change>;

/** What the page behind a link says of itself. */
export const linkPreview = z.object({
  /** As it was asked for. */
  url: z.string(),
  title: z.nullable(z.string()),
  description: z.nullable(z.string()),
  siteName: z.nullable(z.string()),
  /** A data: address of a JPEG, PNG, WebP, GIF or AVIF picture, as the page has it. */
  image: z.nullable(z.string()),
});
export type LinkPreview = z.infer<typeof linkPreview>;

/** Every error over HTTP (decision 18). */
export const errorBody = z.object({
  code: z.string(),
  message: z.string(),
  details: z.optional(z.record(z.string(), z.unknown())),
});
export type ErrorBody = z.infer<typeof errorBody>;
