import type { Conversation, Message } from '@nolo/api';
import type { ConversationStanding } from '../keys/conversations/types.ts';
import { unopenedRow, type RowOpening, type StoredMessage } from './rowOpening.ts';
import type { ChatState } from './state.ts';

/*
 * Rows of sealed conversations as the store and the device have them (docs/encryption.md, section 5). A row shows
 * nothing that the server claims about its content before the device opened it.
 */

/** Code of a message that a device without keys refuses to send, because it could not seal it. */
export const updateRequiredCode = 'update_required';

/** Returns true unless a row is being opened, or waits for its key. */
export function isSettled(message: StoredMessage): boolean {
  const state = message.opening?.state;
  return unopenedRow(message) === undefined || state === 'refused' || state === 'removed';
}

/** Returns the message with another form of the row that can be opened again. */
export const withUnopenedRow = (message: StoredMessage, row: Message): StoredMessage => ({
  ...message,
  opening: { ...message.opening, row } as RowOpening,
});

/** Returns a row as the server sent it. */
export const asSent = (message: StoredMessage): Message => unopenedRow(message) ?? message;

/** Returns true if a message has content that is not open here. */
export function isSealed({ sealed, deletedAt, opening }: Pick<StoredMessage, 'sealed' | 'deletedAt' | 'opening'>) {
  if (deletedAt !== null) return false;
  if (opening) return opening.state !== 'open' && opening.state !== 'plain';
  return typeof sealed === 'string' && sealed !== '';
}

/** Returns true if a message was sealed, whether or not it is open. */
export const wasSealed = ({ encryption, seal, sealed }: Pick<Message, 'encryption' | 'seal' | 'sealed'>): boolean =>
  encryption === 'epochs' || seal !== undefined || (typeof sealed === 'string' && sealed !== '');

/**
 * Returns true if the device knows of headers, although it has none in order: the server withholds those that another
 * device of the account saw, or shows others.
 */
const isBlockedByHeaders = ({ send }: ConversationStanding): boolean =>
  send.state === 'blocked' && send.reason !== 'keys' && send.userId === undefined;

/**
 * Returns the two people of a direct conversation: the user, and the one whom the screen shows and whose keys the user
 * compares, whomever the server lists as members. Undefined for others, and if that account is gone.
 */
export function peopleOf(
  { selfId }: Pick<ChatState, 'selfId'>,
  { type, otherUser }: Pick<Conversation, 'type' | 'otherUser'>,
): ReadonlySet<string> | undefined {
  return type === 'direct' && otherUser ? new Set([selfId, otherUser.id]) : undefined;
}

type Known = Pick<ChatState, 'conversations' | 'standings' | 'timelines'>;

/** Returns true if the conversation's row or its epochs say that it is sealed. */
export function isSaidToBeSealed({ conversations, standings }: Omit<Known, 'timelines'>, id: string): boolean {
  const row = conversations[id];
  const standing = standings[id];
  return (
    (row?.sealedFromSeq ?? null) !== null ||
    (standing && (standing.epoch !== null || isBlockedByHeaders(standing))) === true ||
    (row?.lastMessage && wasSealed(row.lastMessage)) === true
  );
}

/** Returns true if a conversation is known to be sealed. It takes no plain text. */
export function isSealedConversation(state: Known, id: string): boolean {
  return isSaidToBeSealed(state, id) || state.timelines[id]?.messages.some(wasSealed) === true;
}

/** Returns true if this client cannot write to a conversation, because it has no keys for it. */
export function lacksKeys(state: Known & Pick<ChatState, 'opensSealed'>, id: string): boolean {
  return !state.opensSealed && isSealedConversation(state, id);
}
