import { createAppError, type CreateServiceError } from '@nolo/kit/errors';
import { limits } from '@nolo/rules';
import type { MessageRequestRefusal, ReplacementRefusal } from './domain/ports.ts';
import type { EpochStaleReason } from './domain/seals.ts';

/** Error codes of this service, as known to other services and clients. */
export type ChatErrorCode =
  | 'addition_refused'
  | 'approval_required'
  | 'banned'
  | 'blocked'
  | 'client_message_id_reused'
  | 'conversation_not_found'
  | 'conversation_replaced'
  | 'conversation_with_self'
  | 'cursor_invalid'
  | 'delete_expired'
  | 'device_required'
  | 'edit_conflict'
  | 'edit_expired'
  | 'encryption_required'
  | 'epoch_refused'
  | 'epoch_stale'
  | 'files_refused'
  | 'group_full'
  | 'group_invalid'
  | 'invitation_not_found'
  | 'leave_refused'
  | 'links_refused'
  | 'member_not_found'
  | 'message_approved'
  | 'message_blank'
  | 'message_invalid'
  | 'message_not_found'
  | 'message_rejected'
  | 'message_too_large'
  | 'message_withdrawn'
  | 'messages_not_allowed'
  | 'nack_not_found'
  | 'nack_refused'
  | 'not_admin'
  | 'not_author'
  | 'not_owner'
  | 'rate_limited'
  | 'reaction_invalid'
  | 'replacement_refused'
  | 'request_limit'
  | 'request_not_found'
  | 'row_refused'
  | 'seal_refused'
  | 'send_contended'
  | 'timer_invalid'
  | 'too_many_groups'
  | 'too_many_held'
  | 'too_many_ids'
  | 'too_many_invited'
  | 'too_many_pinned'
  | 'too_many_reactions'
  | 'too_many_requests'
  | 'too_many_stars'
  | 'user_unavailable'
  | 'vault_full';

export const createChatError: CreateServiceError<ChatErrorCode> = createAppError;

/** The message does not reveal whether the conversation exists, because that is private. */
export const conversationNotFound = () =>
  createChatError('not_found', 'conversation_not_found', 'Conversation not found.');

export const messageNotFound = () => createChatError('not_found', 'message_not_found', 'Message not found.');

const staleTexts = {
  newer: 'Another change of keys was faster. Try again.',
  removal: 'Somebody lost access to this conversation. Change its keys first.',
  timer: 'The keys of disappearing messages are too old. Change them first.',
  none: 'This conversation has no keys yet.',
} as const satisfies Record<EpochStaleReason, string>;

/**
 * @param n number of the newest epoch; -1 if there is none
 * @param reason why it accepts no message as it was sealed
 */
export const epochStale = (n: number, reason: EpochStaleReason = n < 0 ? 'none' : 'newer') =>
  createChatError('conflict', 'epoch_stale', staleTexts[reason], { n, reason });

/** @param details people who would enter, whom the next epoch must contain */
export const encryptionRequired = (details?: { readonly userIds: readonly string[] }) =>
  createChatError(
    'conflict',
    'encryption_required',
    'This conversation is encrypted. Use an app that encrypts.',
    details,
  );

/** A draft was written before its group was sealed. */
export const draftNotSealed = () =>
  createChatError(
    'conflict',
    'encryption_required',
    'This group was encrypted after the message was written. Its author has to send it again.',
  );

/** The two people of a direct conversation began another one. */
export const conversationReplaced = () =>
  createChatError('conflict', 'conversation_replaced', 'This chat was replaced by a new one. Write there.');

export const replacementRefused = (reason: ReplacementRefusal) =>
  createChatError('conflict', 'replacement_refused', 'No other chat can take the place of this one.', { reason });

/** A new version of a message was stored meanwhile. */
export const editConflict = () =>
  createChatError('conflict', 'edit_conflict', 'This message was edited on another device.');

/** The draft has to be sealed as one that waits for approval. */
export const approvalRequired = () =>
  createChatError('conflict', 'approval_required', 'Links and files of new members need approval in this group.');

export type SealRefusalReason =
  | 'malformed'
  /** The device is not in the epoch's roster for this account. */
  | 'device'
  /** The message that it refers to has another row hash, or cannot be referred to. */
  | 'target'
  /** The files are not those of the draft that it approves. */
  | 'files'
  /** The deletion names no header of this conversation. */
  | 'header'
  /** Fields beside the sealed content do not fit it. */
  | 'row'
  /** The message was sealed to wait for approval, and needs none. */
  | 'held';

export const sealRefused = (reason: SealRefusalReason, cause?: string) =>
  createChatError(
    'invalid',
    'seal_refused',
    'This cannot be stored as it was encrypted.',
    { reason },
    { reason: cause },
  );

/** The message reveals neither a block nor who blocked whom. */
export const messageBlocked = () =>
  createChatError('forbidden', 'blocked', 'Messages cannot be sent in this conversation.');

export const sendContended = () =>
  createChatError('unavailable', 'send_contended', 'This could not be stored right now. Try again.', undefined, {
    retryAfterMs: 1000,
  });

export const tooManyCursors = () => createChatError('invalid', 'cursor_invalid', 'Too many cursors in one request.');

export const notAuthor = () => createChatError('forbidden', 'not_author', 'Only the author may do this.');

export const notAdmin = () => createChatError('forbidden', 'not_admin', 'Only the owner and admins may do this.');

export const notOwner = () => createChatError('forbidden', 'not_owner', 'Only the owner may do this.');

export const memberNotFound = () =>
  createChatError('not_found', 'member_not_found', 'This person is not in the group.');

export const groupFull = (max: number) =>
  createChatError('conflict', 'group_full', `This group is full: it has ${max} members.`, { maxMembers: max });

export const tooManyGroups = (max: number) =>
  createChatError('conflict', 'too_many_groups', `An account can be in at most ${max} groups.`, { max });

/** The invitation was answered on another device, withdrawn, or has expired. */
export const invitationNotFound = () =>
  createChatError('not_found', 'invitation_not_found', 'This invitation is no longer pending.');

export const tooManyInvited = (max: number) =>
  createChatError('conflict', 'too_many_invited', `At most ${max} invitations can be pending. Withdraw some first.`, {
    max,
  });

export const filesRefused = () =>
  createChatError('forbidden', 'files_refused', 'Only the owner and admins can send files in this group.');

export const linksRefused = () =>
  createChatError(
    'forbidden',
    'links_refused',
    'Links from new members need approval here. Send the link as a separate message.',
  );

/** The recipient accepts messages from contacts only, or from nobody. */
export const messagesNotAllowed = () =>
  createChatError(
    'forbidden',
    'messages_not_allowed',
    'This person does not accept messages from people they do not know.',
  );

const messageRequestLimitReached = (max: number) =>
  createChatError('forbidden', 'request_limit', `You can send at most ${max} messages before this person accepts.`, {
    max,
  });

export const messageRequestRefused = (refusal: MessageRequestRefusal) =>
  refusal === 'request_limit' ? messageRequestLimitReached(limits.messagesPerRequest) : messagesNotAllowed();

export const messageRejected = () =>
  createChatError('forbidden', 'message_rejected', 'This message was not approved for the group.');

/** The author took it back before an admin decided. */
export const messageWithdrawn = () =>
  createChatError('conflict', 'message_withdrawn', 'The author withdrew this message.');

export const tooManyUnapprovedMessages = () =>
  createChatError(
    'conflict',
    'too_many_held',
    'Too many messages are pending approval. Try again once some are decided.',
  );
