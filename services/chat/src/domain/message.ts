import { parseId, type ConversationId, type FileId, type MessageId, type UserId } from '@nolo/kit/ids';
import {
  encryptions,
  isBlank,
  limits,
  sendableMessageTypes,
  isWithinEditWindow,
  type Encryption,
  type MessageType,
} from '@nolo/rules';
import { createChatError, messageNotFound, notAuthor } from '../errors.ts';
import {
  checkAttachment,
  checkRequiredFiles,
  checkText,
  fileIdsOf,
  createMessageInvalidError as invalid,
  noAttachment,
  type Attachment,
  type AttachmentInput,
} from './attachment.ts';
import type { SealedContent, SealedInput, StoredSeal } from './seals.ts';

/** Immutable data of the message that another one replies to. */
export interface ReplyTarget {
  readonly seq: number;
  readonly messageId: MessageId;
  readonly senderId: UserId;
}

export interface StoredReaction {
  readonly userId: UserId;
  readonly emoji: string;
}

/**
 * Message, or the empty tombstone of an erased one. Data for its readers only is in the content, an envelope that is
 * never opened here (decision 37).
 */
export interface StoredMessage extends Attachment {
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
  readonly reactions: readonly StoredReaction[];
  readonly pinnedAt: Date | null;
  /** Time when it disappears or disappeared. */
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly editedAt: Date | null;
  readonly deletedAt: Date | null;
  /** True if the viewer has hidden it; it then has no content here. */
  readonly hidden: boolean;
  /** Null unless it, or a reaction or pin of it, is or was sealed. */
  readonly seal: StoredSeal | null;
}

/** Returns what a person who hid a message still sees of it; `changeSeq` is the change that published this. */
export function toStoredHiddenMessage(message: StoredMessage, changeSeq: number): StoredMessage {
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
    seal: null,
  };
}

/** Validated message without a position in its conversation yet. */
export interface MessageDraft extends Attachment {
  /** Trace parent of the request, if sampled; the frame about the message continues it. */
  readonly traceparent?: string;
  /** True if people who had read everything before also count as having read this. */
  readonly quiet?: boolean;
  /** True if an admin of a moderated group approved it. */
  readonly approved?: boolean;
  /** Sealed content; `content` is then empty. */
  readonly seal?: SealedContent;
  readonly senderId: UserId;
  readonly clientMessageId: string | null;
  readonly content: string;
  readonly encryption: Encryption;
  readonly messageType: MessageType;
  readonly mentions: readonly string[];
  /** Message that it replies to; a nonexistent one is ignored. */
  readonly replyToSeq: number | null;
  readonly forwarded: boolean;
  /** True if the client reports a link, because the server does not see the content. */
  readonly hasLink: boolean;
  /** Files in its paths, the main one first. */
  readonly fileIds: readonly FileId[];
}

/** Returns a system message caused by a person, under an ID that identifies the event. */
export function createSystemDraft(
  fields: Pick<MessageDraft, 'senderId' | 'content' | 'quiet'> & { readonly clientMessageId: string },
): MessageDraft {
  return {
    ...fields,
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

/** New content of an existing message. */
export interface MessageRevision {
  readonly content: string;
  readonly encryption: Encryption;
  /** True if the client reports a link. Undefined: unchanged. */
  readonly hasLink?: boolean;
  readonly mentions?: readonly string[];
  /** Sealed content of the new version. */
  readonly seal?: SealedContent;
}

/** Input of an edit from a caller. */
export interface MessageRevisionInput {
  content: string;
  encryption?: string | undefined;
  hasLink?: boolean | undefined;
  mentions?: { userIds: readonly string[] } | undefined;
  sealed?: SealedInput | undefined;
}

/** Input of a new message from a caller. */
export interface MessageDraftInput {
  content: string;
  encryption?: string | undefined;
  messageType?: string | undefined;
  clientMessageId?: string | undefined;
  attachment: AttachmentInput;
  mentions: readonly string[];
  replyToSeq?: number | undefined;
  forwarded: boolean;
  hasLink: boolean;
  sealed?: SealedInput | undefined;
}

const bytes = (text: string) => Buffer.byteLength(text, 'utf8');

function checkContent(content: string): void {
  if (bytes(content) > limits.messageEnvelopeBytes) {
    throw createChatError('too_large', 'message_too_large', 'The message is too long.', {
      maxBytes: limits.messageEnvelopeBytes,
    });
  }
  checkText(content, 'message');
}

/** Sealed content has its own field and its own encryption. */
function checkEncryption(given: string | undefined, content: string, sealed: SealedInput | undefined): Encryption {
  const encryption = encryptions.find((known) => known === (given || (sealed ? 'epochs' : 'none')));
  if (!encryption) throw invalid('Unknown encryption.');
  if ((encryption === 'epochs') !== (sealed !== undefined)) throw invalid('Sealed content needs its encryption.');
  if (sealed && content !== '') throw invalid('A sealed message has no other content.');
  return encryption;
}

/** Refuses blank plain text. The gateway checks the content of envelopes before it seals them. */
function checkBlank(content: string, encryption: Encryption, messageType: MessageType): void {
  if (encryption === 'none' && messageType === 'text' && isBlank(content)) {
    throw createChatError('invalid', 'message_blank', 'The message is empty.');
  }
}

function checkReplyTo(seq: number | undefined): number | null {
  if (!seq) return null;
  if (!Number.isSafeInteger(seq) || seq < 0) throw invalid('The number of the message you reply to is invalid.');
  return seq;
}

function checkMentions(mentions: readonly string[]): string[] {
  if (mentions.length > limits.mentionsPerMessage) throw invalid('The message mentions too many people.');
  const ids = mentions.map((mention) => parseId<UserId>(mention));
  if (ids.includes(undefined)) throw invalid('A mention must be an account id.');
  return [...new Set(ids as UserId[])];
}

/**
 * Converts client input to a draft.
 *
 * @throws message_too_large, message_blank, message_invalid.
 */
export function checkDraft(senderId: UserId, input: MessageDraftInput): MessageDraft {
  checkContent(input.content);
  const encryption = checkEncryption(input.encryption, input.content, input.sealed);
  const messageType = sendableMessageTypes.find((known) => known === (input.messageType || 'text'));
  if (!messageType) throw invalid('Messages of this type cannot be sent.');
  const clientMessageId = input.clientMessageId ? parseId(input.clientMessageId) : null;
  if (clientMessageId === undefined) throw invalid('The client message id must be a UUID.');
  if (input.sealed && (clientMessageId === null || input.forwarded)) {
    throw invalid('A sealed message needs a client message id, and is not marked as forwarded.');
  }
  const attachment = checkAttachment(input.attachment);
  checkRequiredFiles(messageType, attachment);
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

/**
 * Returns true if the actor wrote the message. System messages caused by a person are not theirs to change: a missed
 * call stays one.
 */
function isBy({ senderId, messageType }: StoredMessage, actorId: UserId): boolean {
  return senderId === actorId && messageType !== 'system';
}

/**
 * Checks that the actor may replace the content, and returns the revision.
 *
 * @throws not_author, message_not_found, edit_expired, message_too_large, message_blank, message_invalid.
 */
export function checkRevision(
  message: StoredMessage,
  actorId: UserId,
  input: MessageRevisionInput,
  now: Date,
): MessageRevision {
  // An approved draft has the words of somebody else.
  if (!isBy(message, actorId) || message.seal?.draftId) throw notAuthor();
  if (message.deletedAt) throw messageNotFound();
  if (!isWithinEditWindow(message.createdAt.getTime(), now.getTime(), limits.editWindowHours)) {
    throw createChatError('forbidden', 'edit_expired', 'This message can no longer be edited.');
  }
  checkContent(input.content);
  const encryption = checkEncryption(input.encryption, input.content, input.sealed);
  checkBlank(input.content, encryption, message.messageType);
  if (input.sealed) {
    const mentions = checkMentions(input.mentions?.userIds ?? []);
    return { content: '', encryption, hasLink: input.hasLink ?? false, mentions };
  }
  const { hasLink, mentions } = input;
  return {
    content: input.content,
    encryption,
    ...(hasLink === undefined ? {} : { hasLink }),
    ...(mentions === undefined ? {} : { mentions: checkMentions(mentions.userIds) }),
  };
}

/**
 * Checks that the actor may erase the message for everyone: their own for a day, and as owner or admin of a group
 * anyone's at any time. Returns false if it is already erased, no matter how long ago.
 *
 * @throws not_author, delete_expired.
 */
export function checkErasure(message: StoredMessage, actor: { id: UserId; isAdmin: boolean }, now: Date): boolean {
  if (message.messageType === 'system' || !(actor.isAdmin || isBy(message, actor.id))) throw notAuthor();
  if (message.deletedAt) return false;
  if (actor.isAdmin) return true;
  if (!isWithinEditWindow(message.createdAt.getTime(), now.getTime(), limits.editWindowHours)) {
    throw createChatError('forbidden', 'delete_expired', 'This message can no longer be deleted for everyone.');
  }
  return true;
}
