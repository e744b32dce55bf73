import type { RefObject } from 'react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { endThreshold, moving } from './usePinToEnd.ts';

/** So long after older messages came their rows may turn out to be of another height than was thought. */
const settlingMs = 5_000;

/** What one reads, and how far it stands below the edge. */
interface Place {
  article: HTMLElement;
  top: number;
}

/** Null at the end, where the list is held by its end. */
function placeIn(scroller: HTMLElement): Place | null {
  if (scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= endThreshold) return null;
  const { top: edge } = scroller.getBoundingClientRect();
  for (const article of scroller.querySelectorAll<HTMLElement>('article[data-key]')) {
    const { top, bottom } = article.getBoundingClientRect();
    if (bottom > edge) return { article, top: top - edge };
  }
  return null;
}

/**
 * Keeps what one reads where it is when older messages are put before it. The list guesses their heights from those that
 * it knows, and puts right by itself what it guessed wrong only while the last move was upwards, and not always then.
 */
export function useHoldPlace(scroller: RefObject<HTMLElement | null>, firstIndex: number, active: boolean): void {
  const settledAt = useRef(0);
  const before = useRef(firstIndex);
  useLayoutEffect(() => {
    if (firstIndex < before.current) settledAt.current = performance.now() + settlingMs;
    before.current = firstIndex;
  }, [firstIndex]);
  useEffect(() => {
    const element = scroller.current;
    const content = element?.querySelector('[data-testid="virtuoso-item-list"]');
    if (!active || !element || !content) return undefined;
    // The observer says first how things stand, once the page is laid out: it would be for this alone.
    let place: Place | null = null;
    let movesUntil = 0;
    // Whoever is on the move sees no difference.
    const holds = (): boolean => performance.now() < settledAt.current && performance.now() > movesUntil;
    const onMove = ({ type }: Event): void => {
      movesUntil = performance.now() + moving[type as keyof typeof moving];
    };
    const onScroll = (): void => {
      // The list's own corrections scroll as well.
      if (!holds()) place = placeIn(element);
    };
    const observer = new ResizeObserver(() => {
      const now = placeIn(element);
      if (!holds() || now === null || place?.article.isConnected !== true) {
        place = now;
        return;
      }
      const edge = element.getBoundingClientRect().top;
      const off = place.article.getBoundingClientRect().top - edge - place.top;
      if (Math.abs(off) > 1) element.scrollTop += off;
    });
    observer.observe(content);
    element.addEventListener('scroll', onScroll, { passive: true });
    const events = Object.keys(moving);
    for (const event of events) element.addEventListener(event, onMove, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
      for (const event of events) element.removeEventListener(event, onMove);
    };
  }, [scroller, active]);
}
