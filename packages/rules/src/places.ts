/** Where a network is, as far as a database tells and as far as that is kept: no coordinates. */
export interface Place {
  /** Two letters (ISO 3166-1). */
  readonly country: string;
  /** In English; absent where only the country is known. */
  readonly city?: string | undefined;
}

/** As a reader calls it: "Cape Town, South Africa". */
export function placeName({ country, city }: Place, locale: string): string {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });
  const name = /^[A-Z]{2}$/.test(country) ? names.of(country) : country;
  return city === undefined ? (name ?? country) : `${city}, ${name ?? country}`;
}
