import { CalendarClock, CircleDot, CircleUserRound, ContactRound, MessageCircle, Phone, Video } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useLocation } from 'react-router-dom';
import { useStore } from 'zustand';
import { featureStore, sectionOf, visibleSections, type Section } from '../session/features.ts';

const icons: Record<Section, LucideIcon> = {
  chats: MessageCircle,
  contacts: ContactRound,
  calls: Phone,
  meetings: Video,
  status: CircleDot,
  schedule: CalendarClock,
  profile: CircleUserRound,
};

export interface NavEntry {
  section: Section;
  path: string;
  Icon: LucideIcon;
  current: boolean;
  /** Section that contains this one on phones. */
  parentSection: Section | undefined;
}

/** Entries of the tab bar and the rail: the available sections, and which one is open. */
export function useNavEntries(): NavEntry[] {
  const features = useStore(featureStore, (state) => state.features);
  const { pathname } = useLocation();
  const current = sectionOf(pathname);
  return visibleSections(features).map(({ section, path, parentSection }) => ({
    section,
    path,
    Icon: icons[section],
    current: section === current,
    parentSection,
  }));
}
