import { createStore } from 'zustand/vanilla';

/** What exists in this installation (`features` of /api/config); what is missing is not shown. */
export type FeatureFlags = Readonly<Record<string, boolean | undefined>>;

export type Section = 'chats' | 'contacts' | 'calls' | 'meetings' | 'status' | 'schedule' | 'profile';

interface SectionPlace {
  section: Section;
  path: string;
  /** The flag that must be set; sections without one always exist. */
  flag?: string;
  /** Further path beginnings under which the section counts as the current one. */
  alsoUnder: readonly string[];
  /** Stands in the rail alone; on phones it is a part of this section. */
  partOf?: Section;
}

/** In the order of the specification's bottom tab bar, with what the rail has beside. */
export const sectionPlaces: readonly SectionPlace[] = [
  { section: 'chats', path: '/', alsoUnder: ['/chat', '/group-chat', '/starred', '/search'] },
  { section: 'contacts', path: '/contacts', alsoUnder: [] },
  { section: 'calls', path: '/calls', flag: 'calls', alsoUnder: [], partOf: 'chats' },
  { section: 'meetings', path: '/meetings', flag: 'meetings', alsoUnder: ['/meeting'] },
  { section: 'status', path: '/status', flag: 'status', alsoUnder: [] },
  { section: 'schedule', path: '/schedule', flag: 'social', alsoUnder: [] },
  { section: 'profile', path: '/profile', alsoUnder: ['/payment', '/team', '/admin', '/settings'] },
];

export function visibleSections(features: FeatureFlags): readonly SectionPlace[] {
  return sectionPlaces.filter((place) => place.flag === undefined || features[place.flag] === true);
}

function isUnder(pathname: string, beginning: string): boolean {
  return pathname === beginning || pathname.startsWith(`${beginning}/`);
}

/** The section a path belongs to, or undefined for what belongs to none. */
export function sectionOf(pathname: string): Section | undefined {
  return sectionPlaces.find(
    (place) =>
      (place.path === '/' ? pathname === '/' : isUnder(pathname, place.path)) ||
      place.alsoUnder.some((beginning) => isUnder(pathname, beginning)),
  )?.section;
}

export const featureStore = createStore<{
  features: FeatureFlags;
  setFeatures: (features: FeatureFlags) => void;
}>((set) => ({ features: {}, setFeatures: (features) => set({ features }) }));
