/** Location of a network, as far as a database knows it and Nolo stores it: no coordinates. */
export interface GeoPlace {
  /** Two-letter code (ISO 3166-1). */
  readonly country: string;
  /** English name; absent if only the country is known. */
  readonly city?: string | undefined;
}

/** Returns the place in the reader's language: "Cape Town, South Africa". */
export function formatPlace({ country, city }: GeoPlace, locale: string): string {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });
  const name = /^[A-Z]{2}$/.test(country) ? names.of(country) : country;
  return city === undefined ? (name ?? country) : `${city}, ${name ?? country}`;
}
