import type { i18n } from 'i18next';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { de } from '../i18n/de.ts';
import { createI18n } from '../i18n/i18n.ts';
import { Frame } from '../shell/Frame.tsx';
import { Landing } from './Landing.tsx';

const render = (language: i18n, what: ReactNode): string =>
  renderToStaticMarkup(<I18nextProvider i18n={language}>{what}</I18nextProvider>);

/** The landing page as plain markup, made once at build time. */
export function renderLanding(): string {
  return render(createI18n(), <Landing loginHref="/api/login" />);
}

/** The frame of the first screen in each language, as templates of which the document shows one. */
export function renderFrames(): string {
  const german = createI18n();
  german.addResourceBundle('de', 'app', de);
  void german.changeLanguage('de');
  return [createI18n(), german]
    .map((one) => `<template id="frame-${one.language}">${render(one, <Frame />)}</template>`)
    .join('');
}
