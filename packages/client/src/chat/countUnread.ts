import type { Conversation } from '@nolo/api';
import { isWaitingForAcceptance } from './hiding.ts';
import { isMuted, hasUnreadMention } from './chatStore.ts';

/** Meeting chats show unread messages on their own button during the meeting, and appear in no list afterwards. */
function isSilent(row: Conversation, now: number): boolean {
  return row.type === 'meeting' || isWaitingForAcceptance(row) || row.archivedAt !== null || isMuted(row, now);
}

/** Returns true if an unread message mentions the user in a conversation that notifies. */
export function hasAnyUnreadMention(conversations: Iterable<Conversation>, now: number): boolean {
  for (const row of conversations) if (hasUnreadMention(row) && !isSilent(row, now)) return true;
  return false;
}

/** Counts the unread messages in conversations that notify. */
export function countUnread(conversations: Iterable<Conversation>, now: number): number {
  let total = 0;
  for (const row of conversations) {
    if (!isSilent(row, now)) total += Math.max(row.unreadCount, row.markedUnread ? 1 : 0);
  }
  return total;
}
