/** @jest-environment jsdom */
import en from '../../locales/en/app.json' with { type: 'json' };
import app from '../../locales/de/app.json' with { type: 'json' };
import call from '../../locales/de/call.json' with { type: 'json' };
import { callTexts } from '../chat/words/callTexts.ts';
import { applyLanguage, createI18n } from './i18n.ts';
import { directionOf, detectLanguage } from './language.ts';
import { toPseudoArabic, pseudoArabic, translateCatalogue } from './pseudo.ts';
import { getTranslate, registerTexts, withTexts } from './texts.ts';
import type { Catalogue, OtherLanguage } from './texts.ts';

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
const german = (): Promise<OtherLanguage> =>
  Promise.resolve({
    app,
    load: (namespace) => (namespace === 'call' ? call : Promise.reject(new Error('There is no network.'))),
  });

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

test('texts are in the language too, also those of a room that loads later', async () => {
  const i18n = createI18n();
  await applyLanguage(i18n, 'ar-x-pseudo', document.createElement('html'), arabic);
  expect(getTranslate(i18n, callTexts)('call:voice')).toBe(toPseudoArabic(callTexts.english.voice));
  const room = await withTexts(Promise.resolve(registerTexts('later', { title: 'Later' })));
  expect(getTranslate(i18n, room)('later:title')).toBe(toPseudoArabic('Later'));
});

test('a room loaded later waits for its German texts, and is in English if they are unavailable', async () => {
  const i18n = createI18n();
  const root = document.createElement('html');
  await applyLanguage(i18n, 'de', root, german);
  expect(root.lang).toBe('de');
  expect(i18n.t('chats.unread', { count: 1 })).toBe('1 ungelesene Nachricht');
  const missing = await withTexts(Promise.resolve(registerTexts('missing', { page: 'Page' })));
  const t = getTranslate(i18n, callTexts, missing);
  expect(t('call:voice')).toBe('Sprachanruf');
  expect(t('missing:page')).toBe('Page');
});

test('a key of a room that is not imported is a type error, and shown as it is', () => {
  const t = getTranslate(createI18n(), callTexts);
  expect(t('common.retry')).toBe('Retry');
  // @ts-expect-error -- the room has no such key
  expect(t('call:nothing')).toBe('nothing');
  // @ts-expect-error -- the key belongs to another room
  expect(t('social:title')).toBe('title');
  // @ts-expect-error -- without rooms, a function has the texts of the app only
  expect(getTranslate(createI18n())('call:voice')).toBe(callTexts.english.voice);
});
