import { languageStorageKey } from '../i18n/language.ts';
import { themeStorageKey } from '../ui/theme.ts';
import { saveAppearanceToCookie, restoreAppearanceFromCookie } from './appearanceCookie.ts';

/** Fakes `document.cookie` for one cookie. */
function page() {
  const kept = new Map<string, string>();
  return {
    get cookie() {
      return [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
    },
    set cookie(text: string) {
      const [pair = '', ...attributes] = text.split('; ');
      const [name = '', value = ''] = pair.split('=');
      if (attributes.includes('Max-Age=0')) kept.delete(name);
      else kept.set(name, value);
    },
  };
}

function storage(values: Record<string, string> = {}) {
  const kept = new Map(Object.entries(values));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

test('the appearance carries over to the next page, once, and yields to what is chosen there', () => {
  const document = page();
  saveAppearanceToCookie(document, storage({ [languageStorageKey]: 'de', [themeStorageKey]: 'dark', other: 'secret' }));
  expect(document.cookie).not.toContain('secret');
  const after = storage({ [themeStorageKey]: 'light' });
  restoreAppearanceFromCookie(document, after);
  expect([after.getItem(languageStorageKey), after.getItem(themeStorageKey)]).toEqual(['de', 'light']);
  expect(document.cookie).toBe('');
  const later = storage();
  restoreAppearanceFromCookie(document, later);
  expect(later.getItem(languageStorageKey)).toBeNull();
});

test('an invalid appearance changes nothing', () => {
  const document = page();
  document.cookie = 'nolo.look=%7Bbroken; Path=/';
  const after = storage();
  restoreAppearanceFromCookie(document, after);
  expect(after.getItem(languageStorageKey)).toBeNull();
});
