import { languageStorageKey } from '../i18n/language.ts';
import { densityStorageKey, textSizeStorageKey } from '../ui/appearanceKeys.ts';
import { themeStorageKey } from '../ui/theme.ts';

/*
 * Preserves display settings, which belong to the device and stay after signing out. The response that ends a session
 * makes the browser erase all site data (Clear-Site-Data), so that no personal data stays even if the page's own
 * erasing failed. Cookies survive this, so one carries the settings to the next page.
 */
const cookieName = 'nolo.look';
const keys = [themeStorageKey, densityStorageKey, textSizeStorageKey, languageStorageKey];
/** Lifetime in seconds, enough to sign out at a provider. */
const carriedSeconds = 300;

interface Page {
  cookie: string;
}

/** Call before navigating to the page that ends the session. */
export function saveAppearanceToCookie(page: Page, storage: Pick<Storage, 'getItem'>): void {
  const appearance = keys.flatMap((key) => {
    const value = storage.getItem(key);
    return value === null ? [] : [[key, value]];
  });
  if (appearance.length === 0) return;
  const value = encodeURIComponent(JSON.stringify(Object.fromEntries(appearance)));
  page.cookie = `${cookieName}=${value}; Path=/; Max-Age=${carriedSeconds}; SameSite=Lax`;
}

/** Call on the page after it. Settings already chosen there stay. */
export function restoreAppearanceFromCookie(page: Page, storage: Pick<Storage, 'getItem' | 'setItem'>): void {
  const carried = page.cookie.split('; ').find((one) => one.startsWith(`${cookieName}=`));
  if (carried === undefined) return;
  page.cookie = `${cookieName}=; Path=/; Max-Age=0; SameSite=Lax`;
  try {
    const appearance = JSON.parse(decodeURIComponent(carried.slice(cookieName.length + 1))) as Record<string, unknown>;
    for (const key of keys) {
      const value = appearance[key];
      if (typeof value === 'string' && storage.getItem(key) === null) storage.setItem(key, value);
    }
  } catch {
    // The cookie is invalid, or the browser stores nothing: the app uses the default look.
  }
}
