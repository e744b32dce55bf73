/** Languages in which Nolo writes to users: emails, text messages, receipts. */
export const supportedLanguages = ['en', 'de'] as const;
export type SupportedLanguage = (typeof supportedLanguages)[number];

/** Language choices of an account: a language for all its devices, or each device's own. */
export const languageChoices = ['device', ...supportedLanguages] as const;
export type LanguageChoice = (typeof languageChoices)[number];

/** Returns one of the languages, also for an unknown or missing value. */
export function toSupportedLanguage(language: string | undefined): SupportedLanguage {
  return supportedLanguages.find((known) => known === language) ?? 'en';
}

/** Returns true if the IANA time zone exists, as far as this machine knows. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Language and time zone for times and amounts in messages to a user. */
export interface ReaderLocale {
  readonly language: SupportedLanguage;
  /** IANA time zone; UTC if unknown. */
  readonly timeZone?: string | undefined;
}

function dateIn({ language, timeZone }: ReaderLocale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const known = timeZone !== undefined && isTimeZone(timeZone) ? timeZone : 'UTC';
  return new Intl.DateTimeFormat(language, { ...options, timeZone: known });
}

/** Formats a date for use in a sentence. */
export const formatDay = (reader: ReaderLocale, time: Date): string =>
  dateIn(reader, { dateStyle: 'long' }).format(time);

/** Formats a time, to the minute and with its zone. */
export function formatTime(reader: ReaderLocale, time: Date): string {
  const day = { year: 'numeric', month: 'long', day: 'numeric' } as const;
  return dateIn(reader, { ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }).format(time);
}

/**
 * Formats money with the currency code, which distinguishes, for example, kinds of dollars. All supported currencies
 * have two decimals.
 */
export function formatMoney({ language }: ReaderLocale, minor: number, currency: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'code' }).format(minor / 100);
}

/** @param basisPoints hundredths of a percent */
export function formatPercent({ language }: ReaderLocale, basisPoints: number): string {
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(basisPoints / 10_000);
}
