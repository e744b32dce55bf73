/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import type { InitialScrollPosition } from './scrollPosition.ts';
import { useRevealWhenSettled } from './useRevealWhenSettled.ts';

const rowHeight = 50;
const rows = 30;
const viewHeight = 400;
const entries = Array.from({ length: rows }, (_, index) => ({ key: `row-${index}` }) as MessageListEntry);

/** A list in a browser without layout: rows of equal height, all of them rendered. */
function makeScroller(scrollTop: number): HTMLElement {
  const scroller = document.createElement('div');
  const maxScrollTop = rows * rowHeight - viewHeight;
  let top = scrollTop;
  Object.defineProperties(scroller, {
    scrollHeight: { get: () => rows * rowHeight },
    clientHeight: { get: () => viewHeight },
    scrollTop: {
      get: () => top,
      set(to: number) {
        top = Math.max(0, Math.min(to, maxScrollTop));
      },
    },
  });
  for (const [index, { key }] of entries.entries()) {
    const item = document.createElement('div');
    item.dataset['index'] = String(index);
    item.getBoundingClientRect = () => ({ top: index * rowHeight - top }) as DOMRect;
    const article = document.createElement('article');
    article.dataset['key'] = key;
    item.append(article);
    scroller.append(item);
  }
  return scroller;
}

/** Draws frames, 16 ms each, until the list is visible. */
function framesUntilShown(scroller: HTMLElement, start: InitialScrollPosition): number {
  const { result } = renderHook(() => useRevealWhenSettled({ current: scroller }, entries, start));
  for (let frames = 0; frames < 200; frames += 1) {
    if (result.current.revealed) return frames;
    act(() => void jest.advanceTimersByTime(16));
  }
  throw new Error('The list was never shown.');
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

test('a list in its place is completed and shown after two more frames', () => {
  const atEnd = rows * rowHeight - viewHeight;
  expect(framesUntilShown(makeScroller(atEnd), { index: rows - 1, align: 'end' })).toBe(3);
});

test('a list that rests before its end is moved there and shown at once', () => {
  const scroller = makeScroller(rows * rowHeight - viewHeight - 15);
  expect(framesUntilShown(scroller, { index: rows - 1, align: 'end' })).toBeLessThanOrEqual(5);
  expect(scroller.scrollTop).toBe(rows * rowHeight - viewHeight);
});

test('a list that rests next to the first unread message is moved to it', () => {
  const scroller = makeScroller(300);
  expect(framesUntilShown(scroller, { index: 10, align: 'start', offset: -96 })).toBeLessThanOrEqual(5);
  expect(scroller.scrollTop).toBe(10 * rowHeight - 96);
});

test('a target closer to an end than the list can scroll is that end', () => {
  const scroller = makeScroller(0);
  expect(framesUntilShown(scroller, { index: 1, align: 'start', offset: -96 })).toBe(3);
  expect(framesUntilShown(scroller, { index: rows - 2, align: 'start' })).toBeLessThanOrEqual(5);
  expect(scroller.scrollTop).toBe(rows * rowHeight - viewHeight);
});

test('the window of a new page is filled in parts, from the start of the list, before it is complete', () => {
  const frame = document.createElement('div');
  frame.id = 'frame';
  document.body.append(frame);
  const scroller = makeScroller(rows * rowHeight - viewHeight);
  const { result } = renderHook(() =>
    useRevealWhenSettled({ current: scroller }, entries, { index: rows - 1, align: 'end' }),
  );
  const seenExtents = [];
  while (!result.current.revealed && seenExtents.length < 200) {
    seenExtents.push(result.current.extent);
    act(() => void jest.advanceTimersByTime(16));
  }
  frame.remove();
  const extents = [-0.75, -0.5, -0.25, 0].map((share) => ({ top: share * innerHeight, bottom: 0 }));
  const beyond = [0.25, 0.5, 0.75, 1].map((share) => ({ top: share * 800, bottom: share * 300 }));
  expect([...new Set(seenExtents)]).toEqual([...extents, ...beyond]);
});

test('a list without rows soon has its complete window, but not before it is scrolled to its start', () => {
  const frame = document.createElement('div');
  frame.id = 'frame';
  document.body.append(frame);
  const scroller = makeScroller(0);
  scroller.replaceChildren();
  const { result } = renderHook(() =>
    useRevealWhenSettled({ current: scroller }, entries, { index: rows - 1, align: 'end' }),
  );
  frame.remove();
  const draw = (frames: number) => {
    for (let drawn = 0; drawn < frames; drawn += 1) act(() => void jest.advanceTimersByTime(16));
  };
  draw(20);
  expect(result.current).toEqual({ extent: { top: -0.75 * innerHeight, bottom: 0 }, revealed: false });
  scroller.scrollTop = 500;
  draw(6);
  expect(result.current).toEqual({ extent: { top: 0, bottom: 0 }, revealed: false });
});
