/** @jest-environment jsdom */
import { renderHook } from '@testing-library/react';
import { I18nextProvider, useTranslation } from 'react-i18next';
import { en } from './en.ts';
import { enCall } from '../calls/start/enCall.ts';
import { addWords, applyLanguage, createI18n } from './i18n.ts';
import { directionOf, languageOf } from './language.ts';
import { lengthen, mirror, translateCatalogue } from './pseudo.ts';
import type { Catalogue } from './pseudo.ts';

function sentences(catalogue: Catalogue): string[] {
  return Object.values(catalogue).flatMap((value) => (typeof value === 'string' ? [value] : sentences(value)));
}

test('the catalogue holds the specification’s words', () => {
  const { t } = createI18n();
  expect(t('errors.unauthorized.text')).toBe('You are logged out. Logging in again...');
  expect(t('notFound.title')).toBe('404 Page Not Found');
  expect(t('chats.unread', { count: 1 })).toBe('1 unread message');
  expect(t('chats.unread', { count: 7 })).toBe('7 unread messages');
});

test('German length is some 40 % longer and keeps what is filled in', () => {
  expect(lengthen('Failed to start conversation').length).toBeGreaterThanOrEqual(38);
  expect(lengthen('We sent a code to {{phoneNumber}}.')).toContain('{{phoneNumber}}');
});

test('right to left leaves no Latin letter but what is filled in', () => {
  const mirrored = sentences(translateCatalogue(en, mirror)).map((text) => text.replace(/\{\{?[^}]*\}?\}/g, ''));
  expect(mirrored.filter((text) => /[a-z]/i.test(text))).toEqual([]);
});

test('the address chooses the language, and the document says it', async () => {
  expect(languageOf('?lang=ar-x-pseudo')).toBe('ar-x-pseudo');
  expect(languageOf('?lang=tlh')).toBe('en');
  expect(directionOf('de-x-pseudo')).toBe('ltr');
  const root = document.createElement('html');
  const i18n = createI18n();
  await applyLanguage(i18n, 'ar-x-pseudo', root);
  expect(root.dir).toBe('rtl');
  expect(root.lang).toBe('ar-x-pseudo');
  expect(i18n.t('common.retry')).toBe(mirror('Retry'));
});

test('words that come later speak the language too, also where a component brings them', async () => {
  const i18n = createI18n();
  await applyLanguage(i18n, 'ar-x-pseudo', document.createElement('html'));
  const { result } = renderHook(() => useTranslation(), {
    wrapper: ({ children }) => <I18nextProvider i18n={i18n}>{children}</I18nextProvider>,
  });
  addWords(result.current.i18n, 'call', enCall);
  expect(result.current.t('call.voice')).toBe(mirror(enCall.voice));
});
