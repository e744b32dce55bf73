/** @jest-environment jsdom */
import { cleanup, renderHook } from '@testing-library/react';
import { installManualResizeObserver, notifyResized } from '../../testing/resizeByHand.ts';
import { usePinToEnd } from './usePinToEnd.ts';

const viewHeight = 400;

installManualResizeObserver();
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

/** A list scrolled to its end, in a browser without layout. */
function atEnd() {
  const scroller = document.body.appendChild(document.createElement('div'));
  scroller.appendChild(document.createElement('div')).dataset['testid'] = 'virtuoso-item-list';
  const size = { scrollTop: 1_600, scrollHeight: 2_000, clientHeight: viewHeight };
  for (const name of ['scrollTop', 'scrollHeight', 'clientHeight'] as const) {
    Object.defineProperty(scroller, name, {
      get: () => size[name],
      set(value: number) {
        size[name] = value;
      },
    });
  }
  renderHook(() => usePinToEnd({ current: scroller }, true));
  notifyResized();
  const scroll = (to: number) => {
    size.scrollTop = to;
    scroller.dispatchEvent(new Event('scroll'));
  };
  return { scroller, size, scroll };
}

test('someone at the end stays there when content above grows', () => {
  const { size } = atEnd();
  size.scrollHeight = 2_100;
  notifyResized();
  expect(size.scrollTop).toBe(2_100);
});

test('corrections by the list itself move nobody away from the end', () => {
  const { size, scroll } = atEnd();
  size.scrollHeight = 2_300;
  scroll(1_500);
  notifyResized();
  expect(size.scrollTop).toBe(2_300);
});

test('someone scrolling up is not moved back, even while rows turn out to have another height', () => {
  const { scroller, size, scroll } = atEnd();
  scroller.dispatchEvent(new Event('wheel'));
  size.scrollHeight = 2_300;
  scroll(1_000);
  notifyResized();
  expect(size.scrollTop).toBe(1_000);
});
