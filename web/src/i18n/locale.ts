import { useTranslation } from 'react-i18next';
import { localeFor } from './dates.ts';

export function useLocale(): string {
  const { i18n } = useTranslation();
  return localeFor(i18n.language, navigator.languages);
}

const listFormats = new Map<string, Intl.ListFormat>();

/** Names and the like, one after the other with an "and" at the end. */
export function listFormat(locale: string): Intl.ListFormat {
  const known = listFormats.get(locale);
  if (known) return known;
  const made = new Intl.ListFormat(locale, { type: 'conjunction' });
  listFormats.set(locale, made);
  return made;
}
