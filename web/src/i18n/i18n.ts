import { isolateDirection } from '@nolo/rules';
import { createInstance } from 'i18next';
import type { i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { loadRequestedCatalogues } from './requestedCatalogues.ts';
import { en } from './en.ts';
import { directionOf } from './language.ts';
import type { Language } from './language.ts';
import type { Catalogue } from './pseudo.ts';

/**
 * Texts that load with the part of the app that uses them, by room. A room's screens add them. `app/words.ts` lists
 * them, so that all keys are typed.
 */
export interface LazyWords {}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: { app: typeof en & LazyWords };
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
    resources: { en: { app: en } },
    // React escapes HTML. This keeps a name from changing the direction of its sentence.
    interpolation: {
      escapeValue: true,
      escape: (value: string) => isolateDirection(value, directionOf(instance.language)),
    },
    initAsync: false,
  });
  return instance;
}

/**
 * Translators of area texts to the app's language. No entry while it is English. Keyed by the translation store,
 * because components access their instance through a proxy.
 */
const translators = new WeakMap<object, OtherLanguage['translate']>();

/** Adds an area's texts, in English and in the app's language. */
export function addWords<A extends keyof LazyWords>(instance: i18n, area: A, words: LazyWords[A]): void {
  const known = instance.getResourceBundle('en', 'app') as Partial<LazyWords> | undefined;
  if (known?.[area] === undefined) instance.addResourceBundle('en', 'app', { [area]: words }, true);
  const translate = translators.get(instance.store);
  if (!translate) return;
  const catalogue = instance.getResourceBundle(instance.language, 'app') as Partial<LazyWords> | undefined;
  const translated = catalogue?.[area] === undefined ? translate(area, words) : undefined;
  if (translated) instance.addResourceBundle(instance.language, 'app', { [area]: translated }, true);
}

/** Language other than English. */
export interface OtherLanguage {
  readonly core: Catalogue;
  /** Returns an area's texts, derived from the English ones or loaded before. */
  readonly translate: (area: string, english: Catalogue) => Catalogue | undefined;
  readonly bring?: (areas: Set<string>) => Promise<void>;
}

/** Loads the language if it is not English, and sets it on the document. */
export async function applyLanguage(
  instance: i18n,
  language: Language,
  root: HTMLElement,
  load: (language: Language) => Promise<OtherLanguage>,
): Promise<void> {
  if (language !== 'en') {
    const { core, translate, bring } = await load(language);
    translators.set(instance.store, translate);
    instance.addResourceBundle(language, 'app', core);
    await loadRequestedCatalogues(bring);
  }
  await instance.changeLanguage(language);
  // Setting an equal value also makes the browser restyle the whole document.
  const direction = directionOf(language);
  if (root.lang !== language) root.lang = language;
  if (root.dir !== direction) root.dir = direction;
}
