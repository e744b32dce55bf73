import { useEffect } from 'react';
import { useStore } from 'zustand';
import { listen } from '../device/listen.ts';
import {
  getAccountPreferenceStore,
  syncPreference,
  type AccountPreferenceStore as Preferences,
} from '../session/preferences.ts';
import { sessionStore } from '../session/session.ts';
import { chooseDensity, densityOf, densityChanges } from '../ui/density.ts';
import { chooseTextSize, textSizeOf, textSizeChanges } from '../ui/textSize.ts';
import { themeStore } from '../ui/theme.ts';

/**
 * Delay in milliseconds that groups successive choices into one request, and the delay before retrying a failed one.
 */
const gatherMs = 1_000;
const retryMs = 30_000;

function flushUnsavedPreferences(preferences: Preferences): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;
  const flush = async () => {
    await preferences.flush();
    if (!over && preferences.getState().waiting.length > 0) later(retryMs);
  };
  const later = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), ms);
  };
  const stops = [
    preferences.subscribe(({ waiting }, before) => {
      if (waiting !== before.waiting && waiting.length > 0) later(gatherMs);
    }),
    listen(window, ['online'], () => void flush()),
  ];
  return () => {
    over = true;
    clearTimeout(timer);
    stops.forEach((stop) => stop());
  };
}

/** Synchronizes app preferences with the account, so that every device has them; each section stores its own. */
export function AccountPreferencesSync(): null {
  const user = useStore(sessionStore, ({ user, confirmed }) => (confirmed ? user : null));
  useEffect(() => {
    if (user !== null) getAccountPreferenceStore().meet(user.id, user.preferences ?? {});
  }, [user]);
  useEffect(() => {
    const preferences = getAccountPreferenceStore();
    const root = document.documentElement;
    const stop = [
      syncPreference(preferences, 'theme', {
        get: () => themeStore.getState().theme,
        set: (theme) => themeStore.getState().choose(theme),
        subscribe: themeStore.subscribe,
        defaultValue: 'system',
      }),
      syncPreference(preferences, 'density', {
        get: () => densityOf(root),
        set: (density) => chooseDensity(density, root, localStorage),
        subscribe: densityChanges.subscribe,
        defaultValue: 'comfortable',
      }),
      syncPreference(preferences, 'textSize', {
        get: () => textSizeOf(root),
        set: (size) => chooseTextSize(size, root, localStorage),
        subscribe: textSizeChanges.subscribe,
        defaultValue: 'default',
      }),
      flushUnsavedPreferences(preferences),
    ];
    return () => stop.forEach((one) => one());
  }, []);
  return null;
}
