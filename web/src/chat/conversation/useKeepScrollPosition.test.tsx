/** @jest-environment jsdom */
import { cleanup, renderHook } from '@testing-library/react';
import { installManualResizeObserver, notifyResized } from '../../testing/resizeByHand.ts';
import { useKeepScrollPosition } from './useKeepScrollPosition.ts';

const viewHeight = 400;
const rowHeight = 50;

/** A list in a browser without layout. Rows have the height that the test sets. */
function makeList(count: number, scrollTop: number) {
  const scroller = document.body.appendChild(document.createElement('div'));
  const content = scroller.appendChild(document.createElement('div'));
  content.dataset['testid'] = 'virtuoso-item-list';
  const heights = new Map<Element, number>();
  const topOf = (row: Element) => {
    let top = -scroller.scrollTop;
    for (const other of content.children) {
      if (other === row) return top;
      top += heights.get(other) ?? 0;
    }
    return top;
  };
  const add = (key: string, height: number, before: Element | null = null) => {
    const row = document.createElement('article');
    row.dataset['key'] = key;
    row.getBoundingClientRect = () => ({ top: topOf(row), bottom: topOf(row) + (heights.get(row) ?? 0) }) as DOMRect;
    heights.set(row, height);
    content.insertBefore(row, before);
    return row;
  };
  const rows = Array.from({ length: count }, (_, index) => add(`row-${index}`, rowHeight));
  Object.defineProperties(scroller, {
    scrollTop: { value: scrollTop, writable: true },
    clientHeight: { value: viewHeight },
    scrollHeight: { get: () => [...heights.values()].reduce((sum, height) => sum + height, 0) },
  });
  return { scroller, ref: { current: scroller }, rows, add, heights, topOf };
}

installManualResizeObserver();
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

/** Prepends three older rows. The list assumes that each is as high as the others and scrolls by that. */
function takeOlder(list: ReturnType<typeof makeList>, height: number): void {
  for (let index = 3; index > 0; index -= 1) list.add(`older-${index}`, height, list.scroller.querySelector('article'));
  list.scroller.scrollTop += 3 * rowHeight;
}

test('the reading position stays when older messages turn out taller than the list estimated', () => {
  const list = makeList(40, 610);
  const reading = list.rows[12]!;
  const { rerender } = renderHook(({ first }) => useKeepScrollPosition(list.ref, first, true), {
    initialProps: { first: 1_000 },
  });
  // Browsers call the observer once when observation begins.
  notifyResized();
  const before = list.topOf(reading);
  takeOlder(list, 170);
  rerender({ first: 997 });
  expect(list.topOf(reading)).not.toBe(before);
  notifyResized();
  expect(list.topOf(reading)).toBe(before);

  // A picture above arrives late and is higher than its placeholder.
  list.heights.set(list.scroller.querySelector('article')!, 420);
  notifyResized();
  expect(list.topOf(reading)).toBe(before);
});

test('someone who is scrolling, and other changes in height, are left alone', () => {
  const list = makeList(40, 610);
  const { rerender } = renderHook(({ first }) => useKeepScrollPosition(list.ref, first, true), {
    initialProps: { first: 1_000 },
  });
  // Browsers call the observer once when observation begins.
  notifyResized();
  // The list received no older messages.
  list.heights.set(list.rows[0]!, 90);
  notifyResized();
  expect(list.scroller.scrollTop).toBe(610);

  list.scroller.dispatchEvent(new Event('wheel'));
  takeOlder(list, 170);
  rerender({ first: 997 });
  notifyResized();
  expect(list.scroller.scrollTop).toBe(610 + 3 * rowHeight);
});
