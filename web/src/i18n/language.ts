/** Complete languages English and German. The third is generated, and tests right-to-left layouts. */
export const languages = ['en', 'de', 'ar-x-pseudo'] as const;
export type Language = (typeof languages)[number];

/** Storage key of the chosen language. boot.ts reads it before the first paint. */
export const languageStorageKey = 'nolo.language';

/**
 * Returns the language in the address (`?lang=`), otherwise the chosen one, otherwise the first supported one that the
 * browser prefers, otherwise English.
 */
export function detectLanguage(search: string, chosen: string | null, preferred: readonly string[]): Language {
  const requestedLanguage = new URLSearchParams(search).get('lang') ?? chosen;
  const known = languages.find((language) => language === requestedLanguage);
  if (known) return known;
  const bases = preferred.map((tag) => tag.split('-')[0]);
  return bases.find((base): base is 'en' | 'de' => base === 'en' || base === 'de') ?? 'en';
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return language.startsWith('ar') ? 'rtl' : 'ltr';
}
