import type { RefObject } from 'react';
import { useEffect, useState } from 'react';
import type { Entry } from '../engine/entries.ts';
import type { StartingPlace } from './scrollPlace.ts';

/** Whether the list stands where it was told to begin, and has drawn what belongs there. */
function stands(
  scroller: HTMLElement,
  entries: readonly Entry[],
  { index, align, offset = 0 }: StartingPlace,
): boolean {
  const key = entries[index]?.key;
  const articles = [...scroller.querySelectorAll<HTMLElement>('article[data-key]')];
  const item = articles.find((article) => article.dataset['key'] === key)?.closest('[data-index]');
  if (!item) return false;
  // Before anything is measured a single row stands in an empty list, seemingly at its end.
  if (scroller.scrollHeight <= scroller.clientHeight) return articles.length === entries.length;
  if (scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= 1) return true;
  const below = item.getBoundingClientRect().top - (scroller.getBoundingClientRect().top - offset);
  // At the beginning of the list it can be no further down than it is.
  return align === 'start' && (Math.abs(below) <= 2 || (below < 0 && scroller.scrollTop <= 0));
}

/** Whatever it looks like, a list is shown by then. */
const mostMs = 2_000;

/**
 * The list hides itself until it has stood still at its beginning for 150 ms. That is seen as a blank screen at every
 * change of conversation, so it is shown as soon as it has been right for two frames.
 */
export function useReveal(
  scroller: RefObject<HTMLElement | null>,
  entries: readonly Entry[],
  start: StartingPlace,
): boolean {
  const [revealed, setRevealed] = useState(false);
  useEffect(() => {
    if (revealed) return undefined;
    let steady = 0;
    let frame = 0;
    const latest = performance.now() + mostMs;
    const look = () => {
      steady = scroller.current && stands(scroller.current, entries, start) ? steady + 1 : 0;
      if (steady >= 2 || performance.now() > latest) setRevealed(true);
      else frame = requestAnimationFrame(look);
    };
    frame = requestAnimationFrame(look);
    return () => cancelAnimationFrame(frame);
  }, [revealed, scroller, entries, start]);
  return revealed;
}
