import { isolateDirection } from '@nolo/rules';
import { localeFor } from './dates.ts';
import { directionOf } from './language.ts';
import { useTexts } from './texts.ts';

export function useLocale(): string {
  const { i18n } = useTexts();
  return localeFor(i18n.language, navigator.languages);
}

const listFormats = new Map<string, Intl.ListFormat>();

function listFormat(locale: string): Intl.ListFormat {
  const known = listFormats.get(locale);
  if (known) return known;
  const made = new Intl.ListFormat(locale, { type: 'conjunction' });
  listFormats.set(locale, made);
  return made;
}

/** Joins names with commas and a final "and". Each name is isolated from the text direction of the others. */
export function listOfNames(locale: string, names: readonly string[]): string {
  const direction = directionOf(locale);
  return listFormat(locale).format(names.map((name) => isolateDirection(name, direction)));
}
