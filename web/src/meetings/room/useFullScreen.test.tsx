/** @jest-environment jsdom */
import { act, renderHook } from '@testing-library/react';
import { useFullScreen } from './useFullScreen.ts';

let shown: Element | null;
let refuses: boolean;

/** Fakes the browser's fullscreen API, which jsdom lacks. */
beforeEach(() => {
  shown = null;
  refuses = false;
  const become = async (element: Element | null) => {
    if (refuses) throw new TypeError('Not now');
    shown = element;
    document.dispatchEvent(new Event('fullscreenchange'));
  };
  Object.defineProperties(document, {
    fullscreenEnabled: { configurable: true, value: true },
    fullscreenElement: { configurable: true, get: () => shown },
    exitFullscreen: { configurable: true, value: () => become(null) },
  });
  Object.defineProperty(document.documentElement, 'requestFullscreen', {
    configurable: true,
    value: () => become(document.documentElement),
  });
});

test('the whole page fills the screen, and the button reflects it', async () => {
  const { result } = renderHook(() => useFullScreen());
  expect(result.current).toMatchObject({ possible: true, on: false });
  await act(async () => result.current.toggle());
  expect(shown).toBe(document.documentElement);
  expect(result.current.on).toBe(true);
  // Simulates the browser's own key.
  await act(async () => document.exitFullscreen());
  expect(result.current.on).toBe(false);
  await act(async () => result.current.toggle());
  await act(async () => result.current.toggle());
  expect([shown, result.current.on]).toEqual([null, false]);
});

test('a refusal leaves everything as it is', async () => {
  const { result } = renderHook(() => useFullScreen());
  refuses = true;
  await act(async () => result.current.toggle());
  expect(result.current.on).toBe(false);
});

test('the button is missing if the browser has no full screen', () => {
  Object.defineProperty(document, 'fullscreenEnabled', { configurable: true, value: undefined });
  expect(renderHook(() => useFullScreen()).result.current.possible).toBe(false);
});
