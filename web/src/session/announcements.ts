import type { Announcement, ServerFrame } from '@nolo/api';
import { createStore } from 'zustand/vanilla';
import { createCrossTabStorageItem } from '../device/crossTabStorageItem.ts';

const key = 'nolo.announcementsDismissed';
const maxDismissedIds = 20;

interface AnnouncementState {
  /** Announcements by operators, as last received over the socket. */
  current: readonly Announcement[];
  /**
   * Announcements dismissed on this device. They still appear on other devices, where they may matter, and no server
   * needs to know who read them.
   */
  dismissed: readonly string[];
  handleFrame: (frame: ServerFrame) => void;
  dismiss: (id: string) => void;
}

const dismissed = createCrossTabStorageItem<readonly string[]>({
  key,
  storage: localStorage,
  parse: (stored) => (Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []),
});

/**
 * Stores operators' announcements. The first frame of each socket has the current ones, and a further one follows each
 * change.
 */
export const announcementsStore = createStore<AnnouncementState>()((set) => ({
  current: [],
  dismissed: dismissed.read(),
  handleFrame(frame) {
    if (frame.type === 'hello') set({ current: frame.data.announcements ?? [] });
    if (frame.type === 'announcements') set({ current: frame.data.announcements });
  },
  dismiss(id) {
    set({ dismissed: dismissed.change((ids) => [...ids.filter((one) => one !== id), id].slice(-maxDismissedIds)) });
  },
}));

/** Returns the announcements to show: neither expired nor dismissed here. */
export function shownAnnouncements(
  { current, dismissed }: Pick<AnnouncementState, 'current' | 'dismissed'>,
  nowMs: number,
): readonly Announcement[] {
  return current.filter(({ id, until }) => !dismissed.includes(id) && Date.parse(until) > nowMs);
}

/** Returns the text in the app's language, or in English. */
export const announcementText = ({ texts }: Announcement, language: string): string =>
  texts[language.slice(0, 2)] ?? texts['en'] ?? '';
