import type { Conversation } from '@nolo/api';
import { hasSeals, wasSealed } from './sealedRows.ts';
import type { ChatState } from './state.ts';

/** Answers what is known of a conversation's epochs, apart from its rows, because the first screen has no epochs. */

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

type Known = Pick<ChatState, 'conversations' | 'seenSealed' | 'standings' | 'timelines'>;

/** Returns true if the conversation's row says that it is sealed, or a device of the account has seen its epochs. */
export function isSaidToBeSealed(
  { conversations, seenSealed, standings }: Omit<Known, 'timelines'>,
  id: string,
): boolean {
  const row = conversations[id];
  return (
    (row?.sealedFromSeq ?? null) !== null ||
    seenSealed[id] === true ||
    standings[id]?.isSealed === true ||
    (row?.lastMessage && wasSealed(row.lastMessage)) === true
  );
}

/** Returns true if a conversation is known to be sealed. It takes no plain text. */
export function isSealedConversation(state: Known, id: string): boolean {
  return isSaidToBeSealed(state, id) || hasSeals(state, id);
}
