/**
 * Which locale dates are written in: the app's language in the person's own region where the browser tells one, so that
 * English in Berlin or Cape Town has the clock people there read.
 */
export function localeFor(language: string, preferred: readonly string[]): string {
  const base = language.split('-')[0];
  return preferred.find((tag) => tag.split('-')[0] === base) ?? language;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats are costly to make and asked for once per row. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, options);
  formats.set(key, made);
  return made;
}

export const clockTime = (at: number, locale: string): string =>
  dateFormat(locale, { hour: 'numeric', minute: '2-digit' }).format(at);

/** The whole moment, for tooltips and details. */
export const exactTime = (at: number, locale: string): string =>
  dateFormat(locale, { dateStyle: 'full', timeStyle: 'short' }).format(at);
