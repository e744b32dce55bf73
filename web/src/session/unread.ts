import { createStore } from 'zustand/vanilla';

interface UnreadSummary {
  /** Unread messages in all conversations, for the tab's title and the badges. */
  count: number;
  /** True if one of them mentions the user. */
  mentioned: boolean;
  /** Pending join requests to groups that the user manages. */
  requests: number;
}

export const emptyUnread: UnreadSummary = { count: 0, mentioned: false, requests: 0 };

export const unreadStore = createStore<UnreadSummary>(() => emptyUnread);

/** Returns the tab's title with the count: "(3) Amara Dlamini · Nolo". */
export function titleWithCount(title: string, count: number): string {
  return count > 0 ? `(${count > 99 ? '99+' : count}) ${title}` : title;
}
