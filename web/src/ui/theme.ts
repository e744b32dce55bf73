import { createStore } from 'zustand/vanilla';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Where the choice is kept between visits; boot.ts reads it before the first paint. */
export const themeStorageKey = 'nolo.theme';

export function parseTheme(stored: string | null): Theme {
  return themes.find((theme) => theme === stored) ?? 'system';
}

/** What stands on <html data-theme>; nothing where the system decides. */
export function themeAttribute(theme: Theme): 'light' | 'dark' | null {
  return theme === 'system' ? null : theme;
}

export const themeStore = createStore<{ theme: Theme; choose: (theme: Theme) => void }>((set) => ({
  theme: 'system',
  choose: (theme) => set({ theme }),
}));
