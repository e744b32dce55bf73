import { parseId, type ConversationId, type FileId, type MessageId, type UserId } from '@nolo/kit/ids';
import {
  encryptions,
  isBlank,
  limits,
  sendableMessageTypes,
  withinEditWindow,
  type Encryption,
  type MessageType,
} from '@nolo/rules';
import { failChat, messageNotFound, notAuthor } from '../errors.ts';
import {
  checkAttachment,
  checkCarries,
  checkText,
  fileIdsOf,
  messageInvalid as invalid,
  noAttachment,
  type Attachment,
  type AttachmentInput,
} from './attachment.ts';

/** The message that another one answers. None of it ever changes. */
export interface ReplyTarget {
  readonly seq: number;
  readonly messageId: MessageId;
  readonly senderId: UserId;
}

export interface Reaction {
  readonly userId: UserId;
  readonly emoji: string;
}

/**
 * A message, or the empty tombstone that stays of an erased one. What only its readers want to know is in the content, an
 * envelope that nobody opens here (decision 37).
 */
export interface Message extends Attachment {
  readonly id: MessageId;
  readonly conversationId: ConversationId;
  readonly senderId: UserId;
  readonly seq: number;
  readonly changeSeq: number;
  readonly content: string;
  readonly encryption: Encryption;
  readonly messageType: MessageType;
  readonly clientMessageId: string | null;
  readonly mentions: readonly string[];
  readonly replyTo: ReplyTarget | null;
  readonly forwarded: boolean;
  /** Earliest first. */
  readonly reactions: readonly Reaction[];
  readonly pinnedAt: Date | null;
  /** When it disappears, or disappeared. */
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly editedAt: Date | null;
  readonly deletedAt: Date | null;
  /** Its reader wants to see it no longer: nothing of it is here. */
  readonly hidden: boolean;
}

/** What is left of a message for whoever has hidden it; `changeSeq` is the change by which that was told. */
export function hiddenMessage(message: Message, changeSeq: number): Message {
  return {
    ...message,
    ...noAttachment,
    changeSeq,
    content: '',
    encryption: 'none',
    mentions: [],
    replyTo: null,
    forwarded: false,
    reactions: [],
    pinnedAt: null,
    editedAt: null,
    deletedAt: message.deletedAt ?? message.createdAt,
    hidden: true,
  };
}

/** A message that was checked and has no place in its conversation yet. */
export interface Draft extends Attachment {
  /** Of the request, where its trace is kept: the frame that tells of the message goes on with it. */
  readonly traceparent?: string;
  /** Whoever had read everything before has read this too. */
  readonly quiet?: boolean;
  /** An admin of a moderated group let it in. */
  readonly approved?: boolean;
  readonly senderId: UserId;
  readonly clientMessageId: string | null;
  readonly content: string;
  readonly encryption: Encryption;
  readonly messageType: MessageType;
  readonly mentions: readonly string[];
  /** What it answers; where there is no such message it answers none. */
  readonly replyToSeq: number | null;
  readonly forwarded: boolean;
  /** As the client says, for the server sees no content. */
  readonly hasLink: boolean;
  /** Those that its addresses name, the one that it is about first. */
  readonly fileIds: readonly FileId[];
}

/** What the server itself writes because of somebody, under an id that stands for the happening. */
export function systemDraft(
  said: Pick<Draft, 'senderId' | 'content' | 'quiet'> & { readonly clientMessageId: string },
): Draft {
  return {
    ...said,
    encryption: 'none',
    messageType: 'system',
    mentions: [],
    replyToSeq: null,
    forwarded: false,
    hasLink: false,
    fileIds: [],
    ...noAttachment,
  };
}

/** New content for a message that is there. */
export interface Revision {
  readonly content: string;
  readonly encryption: Encryption;
  /** What is undefined stays as it was. */
  readonly hasLink?: boolean;
  readonly mentions?: readonly string[];
}

/** What a caller may say about an edit. */
export interface RevisionInput {
  content: string;
  encryption?: string | undefined;
  hasLink?: boolean | undefined;
  mentions?: { userIds: readonly string[] } | undefined;
}

/** What a caller may say about a new message. */
export interface DraftInput {
  content: string;
  encryption?: string | undefined;
  messageType?: string | undefined;
  clientMessageId?: string | undefined;
  attachment: AttachmentInput;
  mentions: readonly string[];
  replyToSeq?: number | undefined;
  forwarded: boolean;
  hasLink: boolean;
}

const bytes = (text: string) => Buffer.byteLength(text, 'utf8');

function checkContent(content: string): void {
  if (bytes(content) > limits.messageEnvelopeBytes) {
    throw failChat('too_large', 'message_too_large', 'The message is too long.', {
      maxBytes: limits.messageEnvelopeBytes,
    });
  }
  checkText(content, 'message');
}

function checkEncryption(given: string | undefined): Encryption {
  const encryption = encryptions.find((known) => known === (given || 'none'));
  if (!encryption) throw invalid('The encryption is not known.');
  return encryption;
}

/** Refuses a text that is blank as it comes. The edge judges what it seals. */
function checkBlank(content: string, encryption: Encryption, messageType: MessageType): void {
  if (encryption === 'none' && messageType === 'text' && isBlank(content)) {
    throw failChat('invalid', 'message_blank', 'The message is empty.');
  }
}

function checkReplyTo(seq: number | undefined): number | null {
  if (!seq) return null;
  if (!Number.isSafeInteger(seq) || seq < 0) throw invalid('The number of the answered message is wrong.');
  return seq;
}

function checkMentions(mentions: readonly string[]): string[] {
  if (mentions.length > limits.mentionsPerMessage) throw invalid('The message mentions too many people.');
  const ids = mentions.map((mention) => parseId<UserId>(mention));
  if (ids.includes(undefined)) throw invalid('A mention is no account id.');
  return [...new Set(ids as UserId[])];
}

/**
 * Turns what a client sent into a draft.
 *
 * @throws message_too_large, message_blank, message_invalid.
 */
export function checkDraft(senderId: UserId, input: DraftInput): Draft {
  checkContent(input.content);
  const encryption = checkEncryption(input.encryption);
  const messageType = sendableMessageTypes.find((known) => known === (input.messageType || 'text'));
  if (!messageType) throw invalid('Messages of this type cannot be sent.');
  const clientMessageId = input.clientMessageId ? parseId(input.clientMessageId) : null;
  if (clientMessageId === undefined) throw invalid('The client message id is no UUID.');
  const attachment = checkAttachment(input.attachment);
  checkCarries(messageType, attachment);
  checkBlank(input.content, encryption, messageType);
  return {
    senderId,
    clientMessageId,
    content: input.content,
    encryption,
    messageType,
    mentions: checkMentions(input.mentions),
    replyToSeq: checkReplyTo(input.replyToSeq),
    forwarded: input.forwarded,
    hasLink: input.hasLink,
    fileIds: fileIdsOf(attachment),
    ...attachment,
  };
}

/** What the server wrote because of somebody is not theirs to change: a missed call stays one. */
function isBy({ senderId, messageType }: Message, actorId: UserId): boolean {
  return senderId === actorId && messageType !== 'system';
}

/**
 * Whether the actor may replace the content, and with what.
 *
 * @throws not_author, message_not_found, edit_expired, message_too_large, message_blank, message_invalid.
 */
export function checkRevision(message: Message, actorId: UserId, input: RevisionInput, now: Date): Revision {
  if (!isBy(message, actorId)) throw notAuthor();
  if (message.deletedAt) throw messageNotFound();
  if (!withinEditWindow(message.createdAt.getTime(), now.getTime(), limits.editWindowHours)) {
    throw failChat('forbidden', 'edit_expired', 'This message can no longer be edited.');
  }
  checkContent(input.content);
  const encryption = checkEncryption(input.encryption);
  checkBlank(input.content, encryption, message.messageType);
  const { hasLink, mentions } = input;
  return {
    content: input.content,
    encryption,
    ...(hasLink === undefined ? {} : { hasLink }),
    ...(mentions === undefined ? {} : { mentions: checkMentions(mentions.userIds) }),
  };
}

/**
 * Whether the actor may erase the message for everyone: an own one for a day, and owner and admins of a group anyone's
 * at any time. False means that it is erased already, which is what was asked for, however long ago.
 *
 * @throws not_author, delete_expired.
 */
export function checkErasure(message: Message, actor: { id: UserId; isAdmin: boolean }, now: Date): boolean {
  if (message.messageType === 'system' || !(actor.isAdmin || isBy(message, actor.id))) throw notAuthor();
  if (message.deletedAt) return false;
  if (actor.isAdmin) return true;
  if (!withinEditWindow(message.createdAt.getTime(), now.getTime(), limits.editWindowHours)) {
    throw failChat('forbidden', 'delete_expired', 'This message can no longer be deleted for everyone.');
  }
  return true;
}
