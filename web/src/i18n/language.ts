export const languages = ['en', 'de-x-pseudo', 'ar-x-pseudo'] as const;
export type Language = (typeof languages)[number];

/** Which language the address asks for (`?lang=`); anything unknown is English. */
export function languageOf(search: string): Language {
  const asked = new URLSearchParams(search).get('lang');
  return languages.find((language) => language === asked) ?? 'en';
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language.startsWith('ar') ? 'rtl' : 'ltr';
}
