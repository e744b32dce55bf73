import { createStore } from 'zustand/vanilla';

export interface Unread {
  /** Messages that wait in all conversations, for the tab's title and the badges. */
  count: number;
  /** Whether one of them mentions oneself. */
  mentioned: boolean;
  /** People who wait to be let into groups that one decides about. */
  requests: number;
}

export const nothingUnread: Unread = { count: 0, mentioned: false, requests: 0 };

export const unreadStore = createStore<Unread>(() => nothingUnread);

/** The title as the tab shows it: "(3) Amara Dlamini · Nolo". */
export function titleWithCount(title: string, count: number): string {
  return count > 0 ? `(${count > 99 ? '99+' : count}) ${title}` : title;
}
