import type { Conversation } from '@nolo/api';
import { isMuted } from './chatStore.ts';

/** What waits in them, as far as anybody wants to be told of it. */
export function countUnread(conversations: Iterable<Conversation>, now: number): number {
  let total = 0;
  for (const row of conversations) {
    // Beside a meeting, its own button says so; afterwards there is no list that it stands in.
    const silent = row.type === 'meeting' || row.archivedAt !== null || isMuted(row, now);
    if (!silent) total += Math.max(row.unreadCount, row.markedUnread ? 1 : 0);
  }
  return total;
}
