import type { Announcement, ServerFrame } from '@nolo/api';
import { createStore } from 'zustand/vanilla';
import { createSharedItem } from '../device/sharedItem.ts';

const key = 'nolo.announcementsDismissed';
const mostKept = 20;

interface Announcements {
  /** What operators tell everybody, as the socket said last. */
  told: readonly Announcement[];
  /**
   * Those that were put away on this device, and on no other: what it says may matter to whoever opens another one, and
   * no server has to know who read it.
   */
  dismissed: readonly string[];
  hear: (frame: ServerFrame) => void;
  dismiss: (id: string) => void;
}

const dismissed = createSharedItem<readonly string[]>({
  key,
  storage: localStorage,
  parse: (stored) => (Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []),
});

/** What operators tell everybody: the first frame of each socket says what there is, and another when that changes. */
export const announcementsStore = createStore<Announcements>()((set) => ({
  told: [],
  dismissed: dismissed.read(),
  hear(frame) {
    if (frame.type === 'hello') set({ told: frame.data.announcements ?? [] });
    if (frame.type === 'announcements') set({ told: frame.data.announcements });
  },
  dismiss(id) {
    set({ dismissed: dismissed.change((ids) => [...ids.filter((one) => one !== id), id].slice(-mostKept)) });
  },
}));

/** What is to be shown: not over, and not put away here. */
export function shownAnnouncements(
  { told, dismissed }: Pick<Announcements, 'told' | 'dismissed'>,
  nowMs: number,
): readonly Announcement[] {
  return told.filter(({ id, until }) => !dismissed.includes(id) && Date.parse(until) > nowMs);
}

/** The sentence in the language of the app, or in English. */
export const announcementText = ({ texts }: Announcement, language: string): string =>
  texts[language.slice(0, 2)] ?? texts['en'] ?? '';
