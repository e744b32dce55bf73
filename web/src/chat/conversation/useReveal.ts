import type { RefObject } from 'react';
import { startTransition, useEffect, useState } from 'react';
import type { Entry } from '../engine/entries.ts';
import type { StartingPlace } from './scrollPlace.ts';

/**
 * How many pixels the list has to be scrolled down, or up below zero, to stand where it was told to begin; null while what
 * belongs there is not drawn.
 */
function wayToStart(
  scroller: HTMLElement,
  entries: readonly Entry[],
  { index, align, offset = 0 }: StartingPlace,
): number | null {
  const key = entries[index]?.key;
  const articles = [...scroller.querySelectorAll<HTMLElement>('article[data-key]')];
  const item = articles.find((article) => article.dataset['key'] === key)?.closest('[data-index]');
  if (!item) return null;
  const most = scroller.scrollHeight - scroller.clientHeight;
  // Before anything is measured a single row stands in an empty list, seemingly at its end.
  if (most <= 0) return articles.length === entries.length ? 0 : null;
  const toEnd = most - scroller.scrollTop;
  if (align === 'end') return toEnd;
  const below = item.getBoundingClientRect().top - (scroller.getBoundingClientRect().top - offset);
  // Nearer to an end of the list it can be no nearer to its place.
  return Math.max(Math.min(below, toEnd), -scroller.scrollTop);
}

/** How far rows stand beyond the edges of the window, in pixels; below zero they keep away from them. */
interface Extent {
  top: number;
  bottom: number;
}

const whole: Extent = { top: 800, bottom: 300 };

/**
 * What the list holds turn by turn: first its window, in as many turns what lies beyond it. On a page that has just come
 * all of a window's rows at once take a phone as long as it may not hear what is pressed: there they come in parts, from
 * where the list begins.
 */
function extentsFrom({ align }: StartingPlace): Extent[] {
  const parts = document.getElementById('frame') === null ? 1 : 4;
  const shares = Array.from({ length: parts }, (_, part) => (part + 1) / parts);
  const windows = shares.map((share) => {
    const away = (share - 1) * innerHeight;
    return align === 'end' ? { top: away, bottom: 0 } : { top: 0, bottom: away };
  });
  const beyond = shares.map((share) => ({ top: share * whole.top, bottom: share * whole.bottom }));
  return [...windows, ...beyond];
}

/** Whether a list is longer than its window and was not scrolled to where it begins yet. */
const isBefore = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) =>
  scrollTop === 0 && scrollHeight > clientHeight;

/**
 * After so many frames without its place a list is taken for one that is shorter than its window: its rows may all stand
 * where none are drawn yet. Before that it may not have measured any.
 */
const mostWithout = 4;

/** Whatever it looks like, a list is shown by then. */
const mostMs = 2_000;

/**
 * The list hides itself until it has stood still at its beginning for 150 ms. That is seen as a blank screen at every
 * change of conversation, so it is shown as soon as it has been right for two frames. Where it stands still beside its
 * place, as where rows turn out to be higher than was thought, it is moved there. Before it is seen it is made whole,
 * with the rows beyond its window.
 */
export function useReveal(
  scroller: RefObject<HTMLElement | null>,
  entries: readonly Entry[],
  start: StartingPlace,
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
    const latest = performance.now() + mostMs;
    const look = () => {
      const element = scroller.current;
      const way = element && wayToStart(element, entries, start);
      const there = way !== null && Math.abs(way) <= (start.align === 'end' ? 1 : 2);
      if (way !== null) without = 0;
      else if (!element || !isBefore(element)) without += 1;
      const next = way !== null ? turn + 1 : without >= mostWithout ? extents.length / 2 - 1 : turn;
      if (!isWhole && next > turn) startTransition(() => setTurn(next));
      steady = there && isWhole ? steady + 1 : 0;
      if (element && way !== null && !there && way === before) element.scrollTop += way;
      before = way;
      if (steady >= 2 || performance.now() > latest) setRevealed(true);
      else frame = requestAnimationFrame(look);
    };
    frame = requestAnimationFrame(look);
    return () => cancelAnimationFrame(frame);
  }, [revealed, turn, isWhole, extents, scroller, entries, start]);
  return { extent: (revealed ? undefined : extents[turn]) ?? whole, revealed };
}
