import { createStore } from 'zustand/vanilla';

/** How many messages wait in all conversations, for the tab's title and the badges, and whether one of them mentions oneself. */
export const unreadStore = createStore<{ count: number; mentioned: boolean }>(() => ({ count: 0, mentioned: false }));

/** The title as the tab shows it: "(3) Amara Dlamini · Nolo". */
export function titleWithCount(title: string, count: number): string {
  return count > 0 ? `(${count > 99 ? '99+' : count}) ${title}` : title;
}
