import { createStore } from 'zustand/vanilla';

/** Features of this installation (`features` of /api/config). Missing ones are hidden. */
export type FeatureFlags = Readonly<Record<string, boolean | undefined>>;

export type Section = 'chats' | 'contacts' | 'calls' | 'meetings' | 'status' | 'schedule' | 'profile';

interface SectionPlace {
  section: Section;
  path: string;
  /** Flag that must be set. Sections without one always exist. */
  flag?: string;
  /** Additional path prefixes for which the section is the current one. */
  alsoUnder: readonly string[];
  /** Section that contains it on phones. It only appears in the rail. */
  parentSection?: Section;
}

/** Sections in the order of the specification's bottom tab bar, with the additional ones of the rail. */
const sectionLocations: readonly SectionPlace[] = [
  { section: 'chats', path: '/', alsoUnder: ['/chat', '/group-chat', '/starred', '/search'] },
  { section: 'contacts', path: '/contacts', alsoUnder: [] },
  { section: 'calls', path: '/calls', flag: 'calls', alsoUnder: [], parentSection: 'chats' },
  { section: 'meetings', path: '/meetings', flag: 'meetings', alsoUnder: ['/meeting'] },
  { section: 'status', path: '/status', flag: 'status', alsoUnder: [] },
  { section: 'schedule', path: '/schedule', flag: 'social', alsoUnder: [] },
  { section: 'profile', path: '/profile', alsoUnder: ['/payment', '/team', '/admin', '/settings'] },
];

export function visibleSections(features: FeatureFlags): readonly SectionPlace[] {
  return sectionLocations.filter((place) => place.flag === undefined || features[place.flag] === true);
}

function isUnder(pathname: string, beginning: string): boolean {
  return pathname === beginning || pathname.startsWith(`${beginning}/`);
}

/** Returns the section of a path, or undefined. */
export function sectionOf(pathname: string): Section | undefined {
  return sectionLocations.find(
    (place) =>
      (place.path === '/' ? pathname === '/' : isUnder(pathname, place.path)) ||
      place.alsoUnder.some((beginning) => isUnder(pathname, beginning)),
  )?.section;
}

export const featureStore = createStore<{
  features: FeatureFlags;
  setFeatures: (features: FeatureFlags) => void;
}>((set) => ({ features: {}, setFeatures: (features) => set({ features }) }));
