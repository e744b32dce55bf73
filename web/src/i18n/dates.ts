/**
 * Returns the locale for dates: the app's language in the region that the browser prefers, so that English in Berlin or
 * Cape Town uses the local clock format.
 */
export function localeFor(language: string, preferred: readonly string[]): string {
  const base = language.split('-')[0];
  return preferred.find((tag) => tag.split('-')[0] === base) ?? language;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Caches formats, which are expensive to create and requested for every row. */
export function getDateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, options);
  formats.set(key, made);
  return made;
}

export const formatClockTime = (at: number, locale: string): string =>
  getDateFormat(locale, { hour: 'numeric', minute: '2-digit' }).format(at);

/** Formats the full moment, for tooltips and details. */
export const formatExactTime = (at: number, locale: string): string =>
  getDateFormat(locale, { dateStyle: 'full', timeStyle: 'short' }).format(at);
