/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import type * as Font from './font.ts';
import { fontStorageKey } from './font.ts';

const root = document.documentElement;
const worn = () => root.dataset['font'] !== undefined;
let font: typeof Font;

beforeEach(async () => {
  delete root.dataset['font'];
  localStorage.clear();
  jest.useFakeTimers();
  Object.defineProperty(document, 'fonts', { configurable: true, value: { load: async () => [{}] } });
  // What has been brought is known for as long as a page lives.
  jest.resetModules();
  font = await import('./font.ts');
});
afterEach(() => jest.useRealTimers());

test('a font that was just brought waits for the next screen, and the next page begins with it', async () => {
  font.wearKeptFont(root, localStorage);
  font.wearBroughtFont(root);
  expect(worn()).toBe(false);
  await font.bringFont(document, localStorage);
  expect(worn()).toBe(false);
  font.wearBroughtFont(root);
  expect(worn()).toBe(true);

  delete root.dataset['font'];
  font.wearKeptFont(root, localStorage);
  expect(worn()).toBe(true);
});

test('nobody sees letters change: the font is put on when the page is hidden, or once a press is seen to', async () => {
  await font.bringFont(document, localStorage);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(worn()).toBe(true);

  delete root.dataset['font'];
  document.body.click();
  expect(worn()).toBe(false);
  jest.runAllTimers();
  expect(worn()).toBe(true);
});

test('a device is not said to have what could not be had', async () => {
  Object.defineProperty(document, 'fonts', { configurable: true, value: { load: async () => [] } });
  await font.bringFont(document, localStorage);
  font.wearBroughtFont(root);
  document.dispatchEvent(new Event('visibilitychange'));
  expect([worn(), localStorage.getItem(fontStorageKey)]).toEqual([false, null]);
});
