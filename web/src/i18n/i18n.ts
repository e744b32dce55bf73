import { createInstance } from 'i18next';
import type { i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en } from './en.ts';
import type { enBilling } from '../billing/enBilling.ts';
import type { enBillingAdmin } from '../billing/admin/enBillingAdmin.ts';
import type { enCall } from '../calls/enCall.ts';
import type { enCalls } from '../calls/enCalls.ts';
import type { enConnect } from '../social/enConnect.ts';
import type { enContacts } from '../people/enContacts.ts';
import type { enConversation } from '../chat/words/enConversation.ts';
import type { enDeveloper } from '../developer/enDeveloper.ts';
import type { enGroup } from '../groups/enGroup.ts';
import type { enGroups } from '../groups/enGroups.ts';
import type { enLanding } from '../landing/enLanding.ts';
import type { enMedia } from '../chat/media/enMedia.ts';
import type { enMeeting } from '../meetings/room/enMeeting.ts';
import type { enMeetings } from '../meetings/enMeetings.ts';
import type { enMessages } from '../chat/words/enMessages.ts';
import type { enMissing } from '../shell/enMissing.ts';
import type { enNaming } from '../account/profile/enNaming.ts';
import type { enNotes } from '../chat/words/enNotes.ts';
import type { enPhoneForm } from '../account/signIn/enPhoneForm.ts';
import type { enProfile } from '../account/profile/enProfile.ts';
import type { enRefusals } from './enRefusals.ts';
import type { enReplaced } from '../account/signIn/enReplaced.ts';
import type { enRows } from '../chat/list/enRows.ts';
import type { enSecurity } from '../account/security/enSecurity.ts';
import type { enShortcuts } from '../app/enShortcuts.ts';
import type { enSignInErrors } from '../account/signIn/enSignInErrors.ts';
import type { enStatus } from '../status/enStatus.ts';
import type { enSocial } from '../social/enSocial.ts';
import type { enVoice } from '../chat/media/enVoice.ts';
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
  developer: typeof enDeveloper;
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
