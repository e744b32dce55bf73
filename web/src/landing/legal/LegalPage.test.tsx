/** @jest-environment jsdom */
import { cleanup, render, screen } from '@testing-library/react';
import { I18nextProvider } from 'react-i18next';
import { applyLanguage, createI18n } from '../../i18n/i18n.ts';
import type { Language } from '../../i18n/language.ts';
import { LegalPage } from './LegalPage.tsx';

const originalFetch = globalThis.fetch;
beforeEach(() => {
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= () => new AbortController().signal;
});
afterEach(() => {
  cleanup();
  globalThis.fetch = originalFetch;
});

/** Shows the page in a language, with these files from the operator. */
async function show(language: Language, files: Record<string, string>): Promise<void> {
  globalThis.fetch = (async (path: string) => {
    const text = files[path];
    const status = text === undefined ? 404 : 200;
    const headers = new Headers();
    return {
      ok: status === 200,
      status,
      statusText: '',
      headers,
      text: async () => text ?? '',
      json: async () => ({}),
    };
  }) as unknown as typeof fetch;
  const i18n = createI18n();
  await applyLanguage(i18n, language, document.createElement('div'), () =>
    Promise.resolve({ app: {}, load: () => undefined }),
  );
  render(
    <I18nextProvider i18n={i18n}>
      <LegalPage name="privacy" />
    </I18nextProvider>,
  );
}

const both = { '/legal/privacy.txt': '# Ours', '/legal/privacy.de.txt': '# Unsere' };

test.each<[string, Language, Record<string, string>, string]>([
  ['in English', 'en', both, 'Ours'],
  ['in German', 'de', both, 'Unsere'],
  ['in English where the operator has no German one', 'de', { '/legal/privacy.txt': '# Ours' }, 'Ours'],
])('the notice is shown %s', async (_how, language, files, title) => {
  await show(language, files);
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy();
});
