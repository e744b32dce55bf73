import type { Self } from '@nolo/api';
import type { LanguageChoice } from '@nolo/rules';
import { languageStorageKey, languages } from '../i18n/language.ts';

/** What the account and this device have to learn of each other. */
interface LanguageMeeting {
  /** What the device is to keep; null is nothing, so that it speaks its own. */
  keep?: string | null;
  tell?: { language?: LanguageChoice; timeZone?: string };
}

/**
 * The choice is the account's, and each device keeps it for its next start. A choice from before accounts had one is told
 * to the account; how the app looks from right to left is the device's own affair.
 */
export function meetLanguage(
  { language, deviceLanguage, timeZone }: Pick<Self, 'language' | 'deviceLanguage' | 'timeZone'>,
  stored: string | null,
  zone: string,
): LanguageMeeting {
  const known = languages.find((one) => one === stored) ?? null;
  const moved = timeZone !== null && timeZone !== zone ? { tell: { timeZone: zone } } : {};
  if (known === 'ar-x-pseudo') return moved;
  if (language !== null) {
    const keep = language === 'device' ? null : language;
    return keep === known ? moved : { ...moved, keep };
  }
  if (known !== null) return { tell: { language: known, timeZone: zone } };
  return deviceLanguage === null ? { tell: { language: 'device', timeZone: zone } } : moved;
}

/** Where the person is, as the browser says. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Keeps a choice on this device. */
export function keepLanguage(choice: string | null): void {
  if (choice === null) localStorage.removeItem(languageStorageKey);
  else localStorage.setItem(languageStorageKey, choice);
}
