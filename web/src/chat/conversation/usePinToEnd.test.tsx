/** @jest-environment jsdom */
import { cleanup, renderHook } from '@testing-library/react';
import { usePinToEnd } from './usePinToEnd.ts';

const viewHeight = 400;
let observed: (() => void)[];
const original = globalThis.ResizeObserver;

class TellingResizeObserver {
  readonly #tell: () => void;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  observe(): void {
    observed.push(this.#tell);
  }

  disconnect(): void {}
}

beforeEach(() => {
  observed = [];
  globalThis.ResizeObserver = TellingResizeObserver as never;
});
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  globalThis.ResizeObserver = original;
});

/** A list that stands at its end, in a browser without layout. */
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
  const resize = () => {
    for (const tell of observed) tell();
  };
  resize();
  const scroll = (to: number) => {
    size.scrollTop = to;
    scroller.dispatchEvent(new Event('scroll'));
  };
  return { scroller, size, resize, scroll };
}

test('whoever is at the end stays there when what is above grows', () => {
  const { size, resize } = atEnd();
  size.scrollHeight = 2_100;
  resize();
  expect(size.scrollTop).toBe(2_100);
});

test('what the list corrects by itself takes nobody from the end', () => {
  const { size, resize, scroll } = atEnd();
  size.scrollHeight = 2_300;
  scroll(1_500);
  resize();
  expect(size.scrollTop).toBe(2_300);
});

test('whoever scrolls up is not taken back, also while the rows on the way turn out to be of another height', () => {
  const { scroller, size, resize, scroll } = atEnd();
  scroller.dispatchEvent(new Event('wheel'));
  size.scrollHeight = 2_300;
  scroll(1_000);
  resize();
  expect(size.scrollTop).toBe(1_000);
});
