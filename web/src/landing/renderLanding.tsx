import type { i18n } from 'i18next';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { dePhoneForm } from '../account/signIn/dePhoneForm.ts';
import { enPhoneForm } from '../account/signIn/enPhoneForm.ts';
import { deConversation } from '../chat/words/deConversation.ts';
import { enConversation } from '../chat/words/enConversation.ts';
import { de } from '../i18n/de.ts';
import { addWords, createI18n } from '../i18n/i18n.ts';
import { AppSkeleton } from '../shell/AppSkeleton.tsx';
import { ConversationBootSkeleton } from './ConversationBootSkeleton.tsx';
import { Landing } from './Landing.tsx';
import { PhoneSignInSkeleton } from './PhoneSignInSkeleton.tsx';

const render = (language: i18n, what: ReactNode): string =>
  renderToStaticMarkup(<I18nextProvider i18n={language}>{what}</I18nextProvider>);

/** Renders the landing page to plain markup at build time. */
export function renderLanding(): string {
  return render(createI18n(), <Landing loginHref="/api/login" />);
}

/** Renders the frames of the first screens in each language, as templates. The document shows at most one. */
export function renderSkeletonTemplates(): string {
  const [english, german] = [createI18n(), createI18n()];
  addWords(english, 'phoneForm', enPhoneForm);
  addWords(english, 'conversation', enConversation);
  german.addResourceBundle('de', 'app', { ...de, phoneForm: dePhoneForm, conversation: deConversation });
  void german.changeLanguage('de');
  return [english, german]
    .flatMap((one) => [
      `<template id="frame-${one.language}">${render(one, <AppSkeleton />)}</template>`,
      `<template id="conversation-${one.language}">${render(one, <ConversationBootSkeleton />)}</template>`,
      `<template id="phone-${one.language}">${render(one, <PhoneSignInSkeleton />)}</template>`,
    ])
    .join('');
}
