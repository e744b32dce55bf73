/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { fontStorageKey, loadFont, applyStoredFont, fontSettleMs } from './font.ts';

const root = document.documentElement;
const isOn = () => root.dataset['font'] !== undefined;

function given({ faces = [{}], atMs = 300, hasBeenActive = false }): void {
  Object.defineProperty(document, 'fonts', { configurable: true, value: { load: async () => faces } });
  Object.defineProperty(navigator, 'userActivation', { configurable: true, value: { hasBeenActive } });
  jest.spyOn(performance, 'now').mockReturnValue(atMs);
}

beforeEach(() => {
  delete root.dataset['font'];
  localStorage.clear();
});
afterEach(() => jest.restoreAllMocks());

test('a font that arrives within the first second is used at once, and from the next page load’s first paint', async () => {
  given({});
  applyStoredFont(root, localStorage);
  expect(isOn()).toBe(false);
  await loadFont(document, localStorage);
  expect(isOn()).toBe(true);
  delete root.dataset['font'];
  applyStoredFont(root, localStorage);
  expect(isOn()).toBe(true);
});

test.each([
  ['after the first second', { atMs: fontSettleMs }],
  ['after a press', { hasBeenActive: true }],
])('a font that arrives %s waits for the next page load', async (_, late) => {
  given(late);
  await loadFont(document, localStorage);
  document.body.click();
  document.dispatchEvent(new Event('visibilitychange'));
  expect(isOn()).toBe(false);
  applyStoredFont(root, localStorage);
  expect(isOn()).toBe(true);
});

test('a font that could not be loaded is not stored', async () => {
  given({ faces: [] });
  await loadFont(document, localStorage);
  expect([isOn(), localStorage.getItem(fontStorageKey)]).toEqual([false, null]);
});
