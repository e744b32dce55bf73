/** Who has told no country at all is taken to be where the specification's example is. */
const fallback = 'ZA';

/** The country in which somebody most likely dials: the first that their languages name, else the one most like them. */
export function countryOfLocale(languages: readonly string[]): string {
  for (const likely of [false, true]) {
    for (const tag of languages) {
      try {
        const locale = new Intl.Locale(tag);
        const { region } = likely ? new Intl.Locale(locale.language).maximize() : locale;
        // Others are parts of the world, such as 419 for Latin America.
        if (region !== undefined && /^[A-Z]{2}$/.test(region)) return region;
      } catch {
        // A tag that is none says nothing.
      }
    }
  }
  return fallback;
}
