import type { Message } from '@nolo/api';
import { openEnvelope, toMessageContent } from '@nolo/rules';
import type { OpenedRow } from '../keys/conversations/types.ts';
import { withoutContent } from './expiry.ts';
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

type Known = Pick<ChatState, 'conversations' | 'standings' | 'timelines'>;

/** Returns true if the conversation's row or its epochs say that it is sealed. */
export function isSaidToBeSealed({ conversations, standings }: Omit<Known, 'timelines'>, id: string): boolean {
  const row = conversations[id];
  const fromSeq = row?.sealedFromSeq ?? null;
  return (
    fromSeq !== null ||
    (standings[id]?.epoch ?? null) !== null ||
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

/** Returns the row without everything that is only true if the seal says so. */
const withoutClaims = (row: Message): Message => ({ ...withoutContent(row), sealed: null, forwarded: false });

/** Returns the row as it is shown before it is open. */
export const closeRow = (row: Message): StoredMessage => ({ ...withoutClaims(row), opening: { state: 'closed', row } });

/** Returns the row with what the device found in it. */
export function openRow(row: Message, opened: OpenedRow): StoredMessage {
  switch (opened.state) {
    case 'open': {
      const { rowHash, sentAt, late, outOfOrder, reactions, pinnedBy } = opened;
      const { forwarded, ...fields } = openEnvelope(opened.content) ?? { text: opened.content, forwarded: false };
      return {
        ...row,
        sealed: null,
        ...toMessageContent(fields),
        forwarded: forwarded === true,
        reactions: [...reactions],
        pinnedAt: pinnedBy === null ? null : row.pinnedAt,
        opening: { state: 'open', rowHash, sentAt, late, outOfOrder, pinnedBy },
      };
    }
    case 'plain':
      return { ...row, opening: { state: 'plain' } };
    case 'refused':
      return { ...withoutClaims(row), opening: { state: 'refused', reason: opened.reason, row } };
    case 'deleted':
      return { ...withoutClaims(row), opening: { state: 'deleted', by: opened.by, rowHash: opened.rowHash } };
    case 'expired':
      return { ...withoutClaims(row), opening: { state: 'expired' } };
    case 'waiting':
    case 'removed':
      return { ...withoutClaims(row), opening: { state: opened.state, row } };
  }
}
