import { createInstance } from 'i18next';
import type { i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en } from './en.ts';
import type { enBilling } from './enBilling.ts';
import type { enBillingAdmin } from './enBillingAdmin.ts';
import type { enCall } from './enCall.ts';
import type { enCalls } from './enCalls.ts';
import type { enConnect } from './enConnect.ts';
import type { enContacts } from './enContacts.ts';
import type { enConversation } from './enConversation.ts';
import type { enGroup } from './enGroup.ts';
import type { enGroups } from './enGroups.ts';
import type { enLanding } from './enLanding.ts';
import type { enMedia } from './enMedia.ts';
import type { enMeeting } from './enMeeting.ts';
import type { enMeetings } from './enMeetings.ts';
import type { enMessages } from './enMessages.ts';
import type { enMissing } from './enMissing.ts';
import type { enNaming } from './enNaming.ts';
import type { enNotes } from './enNotes.ts';
import type { enPhoneForm } from './enPhoneForm.ts';
import type { enProfile } from './enProfile.ts';
import type { enRefusals } from './enRefusals.ts';
import type { enReplaced } from './enReplaced.ts';
import type { enRows } from './enRows.ts';
import type { enSecurity } from './enSecurity.ts';
import type { enShortcuts } from './enShortcuts.ts';
import type { enSignInErrors } from './enSignInErrors.ts';
import type { enStatus } from './enStatus.ts';
import type { enSocial } from './enSocial.ts';
import type { enVoice } from './enVoice.ts';
import { directionOf } from './language.ts';
import type { Language } from './language.ts';
import type { Catalogue } from './pseudo.ts';

/** Words that come over the line with the part of the app that uses them: an area's screens call `useWords` with them. */
export interface LazyWords {
  billing: typeof enBilling;
  billingAdmin: typeof enBillingAdmin;
  call: typeof enCall;
  calls: typeof enCalls;
  connect: typeof enConnect;
  contacts: typeof enContacts;
  conversation: typeof enConversation;
  group: typeof enGroup;
  groups: typeof enGroups;
  landing: typeof enLanding;
  media: typeof enMedia;
  meeting: typeof enMeeting;
  meetings: typeof enMeetings;
  messages: typeof enMessages;
  missing: typeof enMissing;
  naming: typeof enNaming;
  notes: typeof enNotes;
  phoneForm: typeof enPhoneForm;
  profile: typeof enProfile;
  refusals: typeof enRefusals;
  replaced: typeof enReplaced;
  rows: typeof enRows;
  security: typeof enSecurity;
  shortcuts: typeof enShortcuts;
  signInErrors: typeof enSignInErrors;
  status: typeof enStatus;
  social: typeof enSocial;
  voice: typeof enVoice;
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: { app: typeof en & LazyWords };
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

/**
 * How the catalogue of the language is made from English; undefined while it is English. By the store of the
 * translations, for components see their instance through a proxy.
 */
const translators = new WeakMap<object, (catalogue: Catalogue) => Catalogue>();

/** Adds an area's words, in English and in the language of the app. */
export function addWords<A extends keyof LazyWords>(instance: i18n, area: A, words: LazyWords[A]): void {
  const added: Catalogue = { [area]: words };
  const known = instance.getResourceBundle('en', 'app') as Partial<LazyWords> | undefined;
  if (known?.[area] === undefined) instance.addResourceBundle('en', 'app', added, true);
  const translate = translators.get(instance.store);
  const translated = instance.getResourceBundle(instance.language, 'app') as Partial<LazyWords> | undefined;
  if (translate && translated?.[area] === undefined) {
    instance.addResourceBundle(instance.language, 'app', translate(added), true);
  }
}

/** Brings the language in if it is not English, and says it on the document. */
export async function applyLanguage(instance: i18n, language: Language, root: HTMLElement): Promise<void> {
  if (language !== 'en' && !instance.hasResourceBundle(language, 'app')) {
    const { lengthen, mirror, translateCatalogue } = await import('./pseudo.ts');
    const rule = language === 'ar-x-pseudo' ? mirror : lengthen;
    translators.set(instance.store, (catalogue) => translateCatalogue(catalogue, rule));
    instance.addResourceBundle(language, 'app', translateCatalogue(en, rule));
  }
  await instance.changeLanguage(language);
  root.lang = language;
  root.dir = directionOf(language);
}
