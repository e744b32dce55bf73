import { isolateDirection } from '@nolo/rules';
import { createInstance } from 'i18next';
import type { i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type app from '../../locales/en/app.json';
import { directionOf } from './language.ts';
import type { Language } from './language.ts';
import { loadedTexts, translateTexts } from './texts.ts';
import type { OtherLanguage } from './texts.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: { app: typeof app };
    returnNull: false;
  }
}

/** Creates the translations of one run of the app. Also used for the prerendered landing page. */
export function createI18n(): i18n {
  const instance = createInstance();
  void instance.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    defaultNS: 'app',
    ns: ['app'],
    resources: loadedTexts,
    // React escapes HTML. This keeps a name from changing the direction of its sentence.
    interpolation: {
      escapeValue: true,
      escape: (value: string) => isolateDirection(value, directionOf(instance.language)),
    },
    initAsync: false,
  });
  return instance;
}

/** Loads the language if it is not English, and sets it on the document. */
export async function applyLanguage(
  instance: i18n,
  language: Language,
  root: HTMLElement,
  load: (language: Language) => Promise<OtherLanguage>,
): Promise<void> {
  if (language !== 'en') await translateTexts(language, await load(language));
  await instance.changeLanguage(language);
  // Setting an equal value also makes the browser restyle the whole document.
  const direction = directionOf(language);
  if (root.lang !== language) root.lang = language;
  if (root.dir !== direction) root.dir = direction;
}
