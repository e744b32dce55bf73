/** @jest-environment jsdom */
import type { Self } from '@nolo/api';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { createI18n } from '../i18n/i18n.ts';
import { languageStorageKey } from '../i18n/language.ts';
import { sessionStore } from '../session/session.ts';
import { useSyncAccountLanguage } from './useSyncAccountLanguage.ts';

const originalFetch = globalThis.fetch;
const reading = { id: 'me', language: null, deviceLanguage: 'en', timeZone: null };
let requests: string[];

beforeEach(() => {
  requests = [];
  localStorage.clear();
  globalThis.fetch = (async (path: string, { method = 'GET', body }: RequestInit) => {
    requests.push(`${method} ${path} ${typeof body === 'string' ? body : ''}`);
    const headers = new Headers();
    // Simulates a server without this field.
    return { ok: true, status: 200, statusText: '', headers, json: async () => reading, text: async () => '' };
  }) as unknown as typeof fetch;
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= () => new AbortController().signal;
});
afterEach(() => {
  cleanup();
  sessionStore.getState().signedOut();
  globalThis.fetch = originalFetch;
});

const signedIn = (more: Partial<Self> = {}) => sessionStore.getState().signedIn({ ...reading, ...more } as Self);

function follow(): void {
  const i18n = createI18n();
  const wrapper = ({ children }: { children: ReactNode }) => <I18nextProvider i18n={i18n}>{children}</I18nextProvider>;
  renderHook(useSyncAccountLanguage, { wrapper });
}

test('the account’s choice is stored for the next start, also while the app is open', () => {
  signedIn({ language: 'en' });
  follow();
  expect(localStorage.getItem(languageStorageKey)).toBe('en');
  act(() => signedIn({ language: 'de' }));
  expect(localStorage.getItem(languageStorageKey)).toBe('de');
  act(() => signedIn({ language: 'device' }));
  expect(localStorage.getItem(languageStorageKey)).toBeNull();
  expect(requests).toEqual([]);
});

test('an earlier choice on the device is sent to the account, once per page load', async () => {
  localStorage.setItem(languageStorageKey, 'de');
  signedIn();
  follow();
  await waitFor(() => expect(requests).toHaveLength(1));
  expect(requests[0]).toMatch(/^PUT \/api\/profile \{"language":"de","timeZone":".+"\}$/);
  await act(async () => signedIn());
  expect(requests).toHaveLength(1);
  expect(localStorage.getItem(languageStorageKey)).toBe('de');
});
