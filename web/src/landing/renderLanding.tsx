import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { createI18n } from '../i18n/i18n.ts';
import { Landing } from './Landing.tsx';

/** The landing page as plain markup, made once at build time. */
export function renderLanding(): string {
  return renderToStaticMarkup(
    <I18nextProvider i18n={createI18n()}>
      <Landing loginHref="/api/login" />
    </I18nextProvider>,
  );
}
