/** English and German are whole; the third is made by a rule, and shows layouts that read from the right. */
export const languages = ['en', 'de', 'ar-x-pseudo'] as const;
export type Language = (typeof languages)[number];

/** Where the choice is kept between visits; boot.ts reads it before the first paint. */
export const languageStorageKey = 'nolo.language';

/**
 * Which language the address asks for (`?lang=`), or else the one that was chosen, or else the first of those that the
 * browser prefers and the app speaks; English where none of them is known.
 */
export function languageOf(search: string, chosen: string | null, preferred: readonly string[]): Language {
  const asked = new URLSearchParams(search).get('lang') ?? chosen;
  const known = languages.find((language) => language === asked);
  if (known) return known;
  const bases = preferred.map((tag) => tag.split('-')[0]);
  return bases.find((base): base is 'en' | 'de' => base === 'en' || base === 'de') ?? 'en';
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return language.startsWith('ar') ? 'rtl' : 'ltr';
}
