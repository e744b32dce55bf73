import { startTransition, useEffect, useState, type RefObject } from 'react';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import type { InitialScrollPosition } from './scrollPosition.ts';

/**
 * Returns the pixels to scroll down (negative: up) to reach the starting place. Returns null while the row there is not
 * rendered.
 */
function wayToStart(
  scroller: HTMLElement,
  entries: readonly MessageListEntry[],
  { index, align, offset = 0 }: InitialScrollPosition,
): number | null {
  const key = entries[index]?.key;
  const articles = [...scroller.querySelectorAll<HTMLElement>('article[data-key]')];
  const item = articles.find((article) => article.dataset['key'] === key)?.closest('[data-index]');
  if (!item) return null;
  const maxScrollTop = scroller.scrollHeight - scroller.clientHeight;
  // A single row in an empty list seems to be at its end before rows are measured.
  if (maxScrollTop <= 0) return articles.length === entries.length ? 0 : null;
  const toEnd = maxScrollTop - scroller.scrollTop;
  if (align === 'end') return toEnd;
  const below = item.getBoundingClientRect().top - (scroller.getBoundingClientRect().top - offset);
  // The ends of the list limit how near it can get to its place.
  return Math.max(Math.min(below, toEnd), -scroller.scrollTop);
}

/** Pixels that rows extend beyond the edges of the window. Negative values keep rows away from the edges. */
interface Extent {
  top: number;
  bottom: number;
}

const whole: Extent = { top: 800, bottom: 300 };

/**
 * Returns what the list renders in each pass: first its window, then in as many passes what lies beyond. Right after
 * page load, rendering a whole window of rows at once could block input on a phone, so the window is filled in parts,
 * from where the list begins.
 */
function extentsFrom({ align }: InitialScrollPosition): Extent[] {
  const shareCount = document.getElementById('frame') === null ? 1 : 4;
  const shares = Array.from({ length: shareCount }, (_, step) => (step + 1) / shareCount);
  const windows = shares.map((share) => {
    const away = (share - 1) * innerHeight;
    return align === 'end' ? { top: away, bottom: 0 } : { top: 0, bottom: away };
  });
  const beyond = shares.map((share) => ({ top: share * whole.top, bottom: share * whole.bottom }));
  return [...windows, ...beyond];
}

/** Returns true if a list is longer than its window and not yet scrolled to where it begins. */
const isBefore = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) =>
  scrollTop === 0 && scrollHeight > clientHeight;

/**
 * Frames without a place after which a list is treated as shorter than its window: its rows may all be where none are
 * rendered yet. Until then, the list may not have measured any.
 */
const maxFramesWithoutStart = 4;

/** Milliseconds after which a list is shown in any state. */
const revealTimeoutMs = 2_000;

/**
 * Reveals a list once it is in place. The library hides the list until it rests at its beginning for 150 ms, which
 * looks like a blank screen at every change of conversation. This hook shows it after two correct frames. If the list
 * rests beside its place, for example because rows are higher than estimated, the hook scrolls it there. The rows
 * beyond its window are rendered before it is shown.
 */
export function useRevealWhenSettled(
  scroller: RefObject<HTMLElement | null>,
  entries: readonly MessageListEntry[],
  start: InitialScrollPosition,
): { extent: Extent; revealed: boolean } {
  const [extents] = useState(() => extentsFrom(start));
  const [turn, setTurn] = useState(0);
  const [revealed, setRevealed] = useState(false);
  const isWhole = turn === extents.length - 1;
  useEffect(() => {
    if (revealed) return undefined;
    let steady = 0;
    let frame = 0;
    let before: number | null = null;
    let without = 0;
    const latest = performance.now() + revealTimeoutMs;
    const checkFrame = () => {
      const element = scroller.current;
      const way = element && wayToStart(element, entries, start);
      const there = way !== null && Math.abs(way) <= (start.align === 'end' ? 1 : 2);
      if (way !== null) without = 0;
      else if (!element || !isBefore(element)) without += 1;
      const next = way !== null ? turn + 1 : without >= maxFramesWithoutStart ? extents.length / 2 - 1 : turn;
      if (!isWhole && next > turn) startTransition(() => setTurn(next));
      steady = there && isWhole ? steady + 1 : 0;
      if (element && way !== null && !there && way === before) element.scrollTop += way;
      before = way;
      if (steady >= 2 || performance.now() > latest) setRevealed(true);
      else frame = requestAnimationFrame(checkFrame);
    };
    frame = requestAnimationFrame(checkFrame);
    return () => cancelAnimationFrame(frame);
  }, [revealed, turn, isWhole, extents, scroller, entries, start]);
  return { extent: (revealed ? undefined : extents[turn]) ?? whole, revealed };
}
