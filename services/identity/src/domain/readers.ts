import {
  toSupportedLanguage,
  supportedLanguages,
  type LanguageChoice,
  type ReaderLocale,
  type SupportedLanguage,
} from '@nolo/rules';

/** Language settings of an account. */
export interface LocaleSettings {
  /** Null if never chosen. */
  readonly language: LanguageChoice | null;
  /** Language of the last reported browser. Null if none was ever reported. */
  readonly deviceLanguage: SupportedLanguage | null;
  readonly timeZone: string | null;
}

/** Returns the language and time zone for messages to a person: their choice, or else their device's. */
export function toReaderLocale({ language, deviceLanguage, timeZone }: LocaleSettings): ReaderLocale {
  const chosen = supportedLanguages.find((known) => known === language);
  return { language: chosen ?? toSupportedLanguage(deviceLanguage ?? undefined), timeZone: timeZone ?? undefined };
}
