import type { i18n as I18n } from 'i18next';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { ProofReturn } from '../account/security/ProofReturn.tsx';
import { SocialReturn } from '../social/SocialReturn.tsx';

/** Renders a window that ends here and only shows one message, without the app. */
export function renderReturnPage(place: HTMLElement, i18n: I18n): void {
  document.documentElement.dataset.view = 'app';
  createRoot(place).render(
    <I18nextProvider i18n={i18n}>
      {location.pathname === '/proof' ? <ProofReturn /> : <SocialReturn />}
    </I18nextProvider>,
  );
}
