/** Country of the specification's example, used if no country is known. */
const fallback = 'ZA';

/**
 * Returns the user's most likely country: the first named by their languages, otherwise the one most likely for them.
 */
export function countryOfLocale(languages: readonly string[]): string {
  for (const likely of [false, true]) {
    for (const tag of languages) {
      try {
        const locale = new Intl.Locale(tag);
        const { region } = likely ? new Intl.Locale(locale.language).maximize() : locale;
        // Longer or numeric regions are parts of the world, such as 419 for Latin America.
        if (region !== undefined && /^[A-Z]{2}$/.test(region)) return region;
      } catch {
        // Invalid tags are ignored.
      }
    }
  }
  return fallback;
}
