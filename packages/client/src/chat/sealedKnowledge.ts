import type { Conversation } from '@nolo/api';
import type { ConversationStanding } from '../keys/conversations/types.ts';
import { hasSeals, wasSealed } from './sealedRows.ts';
import type { ChatState } from './state.ts';

/** Answers what is known of a conversation's epochs, apart from its rows, because the first screen has no epochs. */

/**
 * Returns true if the device knows of headers, although it has none in order: the server withholds those that another
 * device of the account saw, or shows others.
 */
const isBlockedByHeaders = ({ send }: ConversationStanding): boolean =>
  send?.state === 'blocked' && send.reason !== 'keys' && send.userId === undefined;

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
  return isSaidToBeSealed(state, id) || hasSeals(state, id);
}
