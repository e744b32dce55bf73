/** @jest-environment jsdom */
import { renderHook } from '@testing-library/react';
import { I18nextProvider, useTranslation } from 'react-i18next';
import { en } from './en.ts';
import { de } from './de.ts';
import { deCall } from '../chat/calling/deCall.ts';
import { enCall } from '../chat/calling/enCall.ts';
import { enMissing } from '../shell/enMissing.ts';
import { requestCatalogue, waitForCatalogues } from './requestedCatalogues.ts';
import { addWords, applyLanguage, createI18n } from './i18n.ts';
import { createLazyLanguage } from './lateWords.ts';
import { directionOf, detectLanguage } from './language.ts';
import { toPseudoArabic, pseudoArabic, translateCatalogue } from './pseudo.ts';
import type { Catalogue } from './pseudo.ts';

function sentences(catalogue: Catalogue): string[] {
  return Object.values(catalogue).flatMap((value) => (typeof value === 'string' ? [value] : sentences(value)));
}

test('the catalogue has the words of the specification', () => {
  const { t } = createI18n();
  expect(t('errors.unauthorized.text')).toBe('You are logged out. Logging in again...');
  expect(t('notFound.title')).toBe('404 Page Not Found');
  expect(t('chats.unread', { count: 1 })).toBe('1 unread message');
  expect(t('chats.unread', { count: 7 })).toBe('7 unread messages');
});

test('an inserted name does not change the direction of the sentence around it', () => {
  const { t } = createI18n();
  expect(t('chats.withWords', { what: 'Photo', text: 'עדה' })).toContain('\u2068עדה\u2069');
  expect(t('chats.withWords', { what: 'a\u202eb', text: '' })).toContain('\u2068ab\u2069');
  expect(t('chats.withWords', { what: 'Photo', text: 'Ada & <Ben>' })).toContain('Ada & <Ben>');
});

test('right to left leaves no Latin letter except in inserted values', () => {
  const mirrored = sentences(translateCatalogue(en, toPseudoArabic)).map((text) =>
    text.replace(/\{\{?[^}]*\}?\}/g, ''),
  );
  expect(mirrored.filter((text) => /[a-z]/i.test(text))).toEqual([]);
});

const arabic = () => Promise.resolve(pseudoArabic);
/** German, where the network failed before one room's texts arrived. */
const german = () =>
  Promise.resolve(
    createLazyLanguage(de, {
      call: () => Promise.resolve(deCall),
      missing: () => Promise.reject(new Error('There is no network.')),
    }),
  );

test('the URL decides the language, then the person, then the browser', () => {
  expect(detectLanguage('?lang=ar-x-pseudo', 'de', [])).toBe('ar-x-pseudo');
  expect(detectLanguage('', 'de', ['en-GB'])).toBe('de');
  expect(detectLanguage('', 'en', ['de-DE'])).toBe('en');
  expect(detectLanguage('', null, ['fr', 'de-CH', 'en'])).toBe('de');
  expect(detectLanguage('', null, ['en-ZA', 'de'])).toBe('en');
  expect(detectLanguage('?lang=tlh', null, ['fr'])).toBe('en');
});

test('the document has the language and its direction', async () => {
  expect(directionOf('de')).toBe('ltr');
  const root = document.createElement('html');
  const i18n = createI18n();
  await applyLanguage(i18n, 'ar-x-pseudo', root, arabic);
  expect(root.dir).toBe('rtl');
  expect(root.lang).toBe('ar-x-pseudo');
  expect(i18n.t('common.retry')).toBe(toPseudoArabic('Retry'));
});

test('words added later are in the language too, also when a component adds them', async () => {
  const i18n = createI18n();
  await applyLanguage(i18n, 'ar-x-pseudo', document.createElement('html'), arabic);
  const { result } = renderHook(() => useTranslation(), {
    wrapper: ({ children }) => <I18nextProvider i18n={i18n}>{children}</I18nextProvider>,
  });
  addWords(result.current.i18n, 'call', enCall);
  expect(result.current.t('call.voice')).toBe(toPseudoArabic(enCall.voice));
});

test('a room loaded later waits for its German words, and is in English if they are unavailable', async () => {
  const i18n = createI18n();
  const root = document.createElement('html');
  await applyLanguage(i18n, 'de', root, german);
  expect(root.lang).toBe('de');
  expect(i18n.t('chats.unread', { count: 1 })).toBe('1 ungelesene Nachricht');

  requestCatalogue('call');
  requestCatalogue('missing');
  await waitForCatalogues(Promise.resolve());
  addWords(i18n, 'call', enCall);
  addWords(i18n, 'missing', enMissing);
  expect(i18n.t('call.voice')).toBe('Sprachanruf');
  expect(i18n.t('missing.page')).toBe(enMissing.page);
});
