import { writtenLanguage, writtenLanguages, type LanguageChoice, type Reader, type WrittenLanguage } from '@nolo/rules';

/** What an account says of how its person reads. */
export interface ReadingAccount {
  /** Null where nothing was ever chosen. */
  readonly language: LanguageChoice | null;
  /** Of the browser that it was last told of; null where that was before anybody asked. */
  readonly deviceLanguage: WrittenLanguage | null;
  readonly timeZone: string | null;
}

/** How a person is written to: as they chose, or as their device speaks. */
export function readerOf({ language, deviceLanguage, timeZone }: ReadingAccount): Reader {
  const chosen = writtenLanguages.find((known) => known === language);
  return { language: chosen ?? writtenLanguage(deviceLanguage ?? undefined), timeZone: timeZone ?? undefined };
}
