import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { endThreshold, watchScroller } from './usePinToEnd.ts';

/** Milliseconds after older messages arrive during which row heights may still change. */
const settlingMs = 5_000;

/** Message being read, and its distance below the edge. */
interface Place {
  article: HTMLElement;
  top: number;
}

/** Returns null at the end, where the list keeps its end in view. */
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
 * Holds the reading position when older messages are prepended. The list estimates their heights from known rows. It
 * corrects wrong estimates only if the last move was upwards, and not always then.
 */
export function useKeepScrollPosition(
  scroller: RefObject<HTMLElement | null>,
  firstIndex: number,
  active: boolean,
): void {
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
    let place: Place | null = null;
    // A user who is scrolling does not notice the difference.
    const holds = (): boolean => performance.now() < settledAt.current && !watch.isMoving();
    const watch = watchScroller(element, [content], {
      onScroll() {
        // Corrections by the list scroll too.
        if (!holds()) place = placeIn(element);
      },
      onResize() {
        const now = placeIn(element);
        if (!holds() || now === null || place?.article.isConnected !== true) {
          place = now;
          return;
        }
        const edge = element.getBoundingClientRect().top;
        const off = place.article.getBoundingClientRect().top - edge - place.top;
        if (Math.abs(off) > 1) element.scrollTop += off;
      },
    });
    return watch.stop;
  }, [scroller, active]);
}
