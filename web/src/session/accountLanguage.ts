import type { Self } from '@nolo/api';
import type { LanguageChoice } from '@nolo/rules';
import { languageStorageKey, languages } from '../i18n/language.ts';

/** Differences between account and device to apply to the other. */
interface LanguageMeeting {
  /** Language to store on the device. Null removes it, so that the device's own applies. */
  keep?: string | null;
  profileUpdate?: { language?: LanguageChoice; timeZone?: string };
}

/**
 * The account owns the choice, and each device stores it for its next start. A choice from before accounts had one is
 * sent to the account. The right-to-left test language concerns the device only.
 */
export function computeLanguageSync(
  { language, deviceLanguage, timeZone }: Pick<Self, 'language' | 'deviceLanguage' | 'timeZone'>,
  stored: string | null,
  zone: string,
): LanguageMeeting {
  const known = languages.find((one) => one === stored) ?? null;
  const moved = timeZone !== null && timeZone !== zone ? { profileUpdate: { timeZone: zone } } : {};
  if (known === 'ar-x-pseudo') return moved;
  if (language !== null) {
    const keep = language === 'device' ? null : language;
    return keep === known ? moved : { ...moved, keep };
  }
  if (known !== null) return { profileUpdate: { language: known, timeZone: zone } };
  return deviceLanguage === null ? { profileUpdate: { language: 'device', timeZone: zone } } : moved;
}

/** Returns the user's time zone according to the browser. */
export const readTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Stores a choice on this device. */
export function storeLanguage(choice: string | null): void {
  if (choice === null) localStorage.removeItem(languageStorageKey);
  else localStorage.setItem(languageStorageKey, choice);
}
