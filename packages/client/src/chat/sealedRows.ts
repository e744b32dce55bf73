import type { Message } from '@nolo/api';
import type { RowOpening, StoredMessage } from './rowOpening.ts';
import type { ChatState } from './state.ts';

/*
 * Rows of sealed conversations as the store and the device have them (docs/encryption.md, section 5). A row shows
 * nothing that the server claims about its content before the device opened it.
 */

/** Code of a message that a device without keys refuses to send, because it could not seal it. */
export const updateRequiredCode = 'update_required';

/** Returns the message with another form of the row that can be opened again. */
export const withUnopenedRow = (message: StoredMessage, row: Message): StoredMessage => ({
  ...message,
  opening: { ...message.opening, row } as RowOpening,
});

/** Returns true if a message has content that is not open here. */
export function isSealed({ sealed, deletedAt, opening }: Pick<StoredMessage, 'sealed' | 'deletedAt' | 'opening'>) {
  if (deletedAt !== null) return false;
  if (opening) return opening.state !== 'open' && opening.state !== 'plain';
  return Boolean(sealed);
}

/** Returns true while the device opens a row, of which nothing can be shown yet. */
export const isBeingOpened = ({ opening }: Pick<StoredMessage, 'opening'>): boolean => opening?.state === 'closed';

/** Returns true if a message was sealed, whether or not it is open. */
export const wasSealed = ({ encryption, sealed }: Pick<Message, 'encryption' | 'sealed'>): boolean =>
  encryption === 'epochs' || Boolean(sealed);

type Known = Pick<ChatState, 'conversations' | 'timelines'>;

/** Returns true if the conversation's row, or one of its messages, says that it is sealed. */
export function hasSeals({ conversations, timelines }: Known, id: string): boolean {
  const { lastMessage, sealedFromSeq = null } = conversations[id] ?? {};
  const rows = [...(lastMessage ? [lastMessage] : []), ...(timelines[id]?.messages ?? [])];
  return sealedFromSeq !== null || rows.some(wasSealed);
}

/** Returns true if this client cannot write to a conversation, because it has no keys for it. */
export function lacksKeys(state: Known & Pick<ChatState, 'opensSealed'>, id: string): boolean {
  return !state.opensSealed && hasSeals(state, id);
}
