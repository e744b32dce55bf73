export const languages = ['en', 'de-x-pseudo', 'ar-x-pseudo'] as const;
export type Language = (typeof languages)[number];

/** Where the choice is kept between visits; boot.ts reads it before the first paint. */
export const languageStorageKey = 'nolo.language';

/** Which language the address asks for (`?lang=`), or else the one that was chosen; anything unknown is English. */
export function languageOf(search: string, chosen: string | null = null): Language {
  const asked = new URLSearchParams(search).get('lang') ?? chosen;
  return languages.find((language) => language === asked) ?? 'en';
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language.startsWith('ar') ? 'rtl' : 'ltr';
}
