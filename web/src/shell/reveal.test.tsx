/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { render } from '@testing-library/react';
import { revealApp, useRemoveSkeletonMessages } from './reveal.ts';

const there = (id: string) => document.getElementById(id) !== null;
beforeEach(() => {
  jest.useFakeTimers();
  document.body.innerHTML = '<p id="landing"></p><p id="loading"></p><div id="frame"><p></p></div>';
});
afterEach(() => jest.useRealTimers());

function List({ stands }: { stands: boolean }) {
  useRemoveSkeletonMessages(stands);
  return null;
}

test('the initial content is removed when the app has something of its own', () => {
  revealApp();
  expect([there('landing'), there('loading'), there('frame')]).toEqual([false, false, false]);
  expect(document.documentElement.dataset.view).toBe('app');
});

test('the font is loaded once a frame has gone', () => {
  const loadedFonts: string[] = [];
  Object.defineProperty(document, 'fonts', {
    configurable: true,
    value: { load: (font: string) => Promise.resolve(loadedFonts.push(font) && []) },
  });
  document.querySelector('#frame p')?.setAttribute('data-words', '');
  revealApp();
  expect(loadedFonts).toEqual([]);
  const { rerender } = render(<List stands />);
  rerender(<List stands />);
  expect(loadedFonts).toHaveLength(1);
});

test('the text of a frame stays until its list is ready or gone, and for two seconds at most', () => {
  const words = () => document.querySelector('#frame p')?.setAttribute('data-words', '');
  words();
  revealApp();
  const { rerender } = render(<List stands={false} />);
  expect(there('frame')).toBe(true);
  rerender(<List stands />);
  expect(there('frame')).toBe(false);

  document.body.innerHTML = '<div id="frame"><p data-words></p></div>';
  const second = render(<List stands={false} />);
  second.unmount();
  expect(there('frame')).toBe(false);

  document.body.innerHTML = '<div id="frame"><div><b></b><p data-words></p></div></div>';
  revealApp();
  // The rest of it is invisible.
  expect(document.querySelector('b')?.style.opacity).toBe('0');
  expect(document.querySelector('p')?.style.opacity).toBe('');
  jest.advanceTimersByTime(2_000);
  expect(there('frame')).toBe(false);
});
