import { createInstance } from 'i18next';
import type { i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en } from './en.ts';
import { directionOf } from './language.ts';
import type { Language } from './language.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: { app: typeof en };
    returnNull: false;
  }
}

/** The translations of one run of the app; also used for the prerendered landing page. */
export function createI18n(): i18n {
  const instance = createInstance();
  void instance.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    defaultNS: 'app',
    ns: ['app'],
    resources: { en: { app: en } },
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  return instance;
}

/** Brings the language in if it is not English, and says it on the document. */
export async function applyLanguage(instance: i18n, language: Language, root: HTMLElement): Promise<void> {
  if (language !== 'en' && !instance.hasResourceBundle(language, 'app')) {
    const { lengthen, mirror, translateCatalogue } = await import('./pseudo.ts');
    const rule = language === 'ar-x-pseudo' ? mirror : lengthen;
    instance.addResourceBundle(language, 'app', translateCatalogue(en, rule));
  }
  await instance.changeLanguage(language);
  root.lang = language;
  root.dir = directionOf(language);
}
