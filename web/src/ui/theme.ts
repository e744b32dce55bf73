import { createStore } from 'zustand/vanilla';

const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Storage key of the choice. boot.ts reads it before the first paint. */
export const themeStorageKey = 'nolo.theme';

export function parseTheme(stored: string | null): Theme {
  return themes.find((theme) => theme === stored) ?? 'system';
}

/** Returns the value of <html data-theme>, or null if the system decides. */
export function themeAttribute(theme: Theme): 'light' | 'dark' | null {
  return theme === 'system' ? null : theme;
}

export const themeStore = createStore<{ theme: Theme; choose: (theme: Theme) => void }>((set) => ({
  theme: 'system',
  choose: (theme) => set({ theme }),
}));
