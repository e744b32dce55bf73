import type { Conversation } from '@nolo/api';
import { isUnaccepted } from './hiding.ts';
import { isMuted, mentionsSelf } from './chatStore.ts';

/** Beside a meeting, its own button says so; afterwards there is no list that it stands in. */
function isSilent(row: Conversation, now: number): boolean {
  return row.type === 'meeting' || isUnaccepted(row) || row.archivedAt !== null || isMuted(row, now);
}

/** Whether anything that waits mentions oneself, as far as anybody wants to be told of it. */
export function isMentioned(conversations: Iterable<Conversation>, now: number): boolean {
  for (const row of conversations) if (mentionsSelf(row) && !isSilent(row, now)) return true;
  return false;
}

/** What waits in them, as far as anybody wants to be told of it. */
export function countUnread(conversations: Iterable<Conversation>, now: number): number {
  let total = 0;
  for (const row of conversations) {
    if (!isSilent(row, now)) total += Math.max(row.unreadCount, row.markedUnread ? 1 : 0);
  }
  return total;
}
