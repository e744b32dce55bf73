/** The languages in which Nolo writes to people: mails, text messages, receipts. */
export const writtenLanguages = ['en', 'de'] as const;
export type WrittenLanguage = (typeof writtenLanguages)[number];

/** What an account chooses of: one of them for all its devices, or that each speaks its own. */
export const languageChoices = ['device', ...writtenLanguages] as const;
export type LanguageChoice = (typeof languageChoices)[number];

/** One of them, whatever another version or nobody said. */
export function writtenLanguage(told: string | undefined): WrittenLanguage {
  return writtenLanguages.find((known) => known === told) ?? 'en';
}

/** Whether there is such a time zone (IANA), as far as this machine knows. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** In which words a person is told of times and amounts. */
export interface Reader {
  readonly language: WrittenLanguage;
  /** IANA; UTC is meant where it is not known. */
  readonly timeZone?: string | undefined;
}

function dateIn({ language, timeZone }: Reader, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const known = timeZone !== undefined && isTimeZone(timeZone) ? timeZone : 'UTC';
  return new Intl.DateTimeFormat(language, { ...options, timeZone: known });
}

/** A day as it is written in a sentence. */
export const dayFor = (reader: Reader, time: Date): string => dateIn(reader, { dateStyle: 'long' }).format(time);

/** A point in time, to the minute and with its zone. */
export function timeFor(reader: Reader, time: Date): string {
  const day = { year: 'numeric', month: 'long', day: 'numeric' } as const;
  return dateIn(reader, { ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }).format(time);
}

/** Money with the code of its currency, which leaves no doubt whose dollars they are. All of ours have two decimals. */
export function moneyFor({ language }: Reader, minor: number, currency: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'code' }).format(minor / 100);
}

/** @param basisPoints hundredths of a percent */
export function percentFor({ language }: Reader, basisPoints: number): string {
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(basisPoints / 10_000);
}
