/** @jest-environment jsdom */
import { themeStorageKey, themeStore } from './theme.ts';
import { followTheme } from './followTheme.ts';

test('applies the stored theme and keeps document and storage in sync', () => {
  localStorage.setItem(themeStorageKey, 'dark');
  const root = document.createElement('html');
  const stop = followTheme(root, localStorage);
  expect(root.dataset.theme).toBe('dark');
  themeStore.getState().choose('light');
  expect(root.dataset.theme).toBe('light');
  expect(localStorage.getItem(themeStorageKey)).toBe('light');
  themeStore.getState().choose('system');
  expect(root.dataset.theme).toBeUndefined();
  expect(localStorage.getItem(themeStorageKey)).toBeNull();
  stop();
});
