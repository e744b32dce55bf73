import { languageStorageKey } from '../i18n/language.ts';
import { densityStorageKey, textSizeStorageKey } from '../ui/lookKeys.ts';
import { themeStorageKey } from '../ui/theme.ts';

/*
 * How one likes the app to look belongs to the device and stays after signing out. But the answer that ends a session has
 * the browser erase all that the site keeps (Clear-Site-Data), so that nothing of a person stays even where the page's own
 * erasing failed. A cookie, which is not erased with that, carries the look over to the next page.
 */
const cookieName = 'nolo.look';
const keys = [themeStorageKey, densityStorageKey, textSizeStorageKey, languageStorageKey];
/** As long as it may take to sign out at a provider. */
const carriedSeconds = 300;

interface Page {
  cookie: string;
}

/** Before leaving for the page that ends the session. */
export function carryLook(page: Page, storage: Pick<Storage, 'getItem'>): void {
  const look = keys.flatMap((key) => {
    const value = storage.getItem(key);
    return value === null ? [] : [[key, value]];
  });
  if (look.length === 0) return;
  const value = encodeURIComponent(JSON.stringify(Object.fromEntries(look)));
  page.cookie = `${cookieName}=${value}; Path=/; Max-Age=${carriedSeconds}; SameSite=Lax`;
}

/** On the page after it. What is chosen there already stays. */
export function takeLook(page: Page, storage: Pick<Storage, 'getItem' | 'setItem'>): void {
  const carried = page.cookie.split('; ').find((one) => one.startsWith(`${cookieName}=`));
  if (carried === undefined) return;
  page.cookie = `${cookieName}=; Path=/; Max-Age=0; SameSite=Lax`;
  try {
    const look = JSON.parse(decodeURIComponent(carried.slice(cookieName.length + 1))) as Record<string, unknown>;
    for (const key of keys) {
      const value = look[key];
      if (typeof value === 'string' && storage.getItem(key) === null) storage.setItem(key, value);
    }
  } catch {
    // Whatever stands there is none of ours, or the browser keeps nothing: the app looks as it does for everybody.
  }
}
