/** @jest-environment jsdom */
import { themeStorageKey, themeStore } from './theme.ts';
import { syncTheme } from './syncTheme.ts';

test('applies the stored theme and keeps document and storage in sync', () => {
  localStorage.setItem(themeStorageKey, 'dark');
  const root = document.createElement('html');
  const stop = syncTheme(root, localStorage);
  expect(root.dataset.theme).toBe('dark');
  themeStore.getState().choose('light');
  expect(root.dataset.theme).toBe('light');
  expect(localStorage.getItem(themeStorageKey)).toBe('light');
  themeStore.getState().choose('system');
  expect(root.dataset.theme).toBeUndefined();
  expect(localStorage.getItem(themeStorageKey)).toBeNull();
  stop();
});
