import { createStore } from 'zustand/vanilla';

export interface Unread {
  /** Unread messages in all conversations, for the tab's title and the badges. */
  count: number;
  /** True if one of them mentions the user. */
  mentioned: boolean;
  /** Pending join requests to groups that the user manages. */
  requests: number;
}

export const nothingUnread: Unread = { count: 0, mentioned: false, requests: 0 };

export const unreadStore = createStore<Unread>(() => nothingUnread);

/** Returns the tab's title with the count: "(3) Amara Dlamini · Nolo". */
export function titleWithCount(title: string, count: number): string {
  return count > 0 ? `(${count > 99 ? '99+' : count}) ${title}` : title;
}
