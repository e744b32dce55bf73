import type { RefObject } from 'react';
import { useEffect } from 'react';

/** So near to the end counts as being there. */
export const endThreshold = 48;

/** How long after each of these somebody may still be on the move. */
export const moving = { wheel: 300, keydown: 300, touchmove: 2_000, pointerdown: 2_000 } as const;

/**
 * Keeps the end of the list in view for whoever is there while what is above grows or the room shrinks: a message turns
 * out to be refused, the details pane opens, the keyboard rises.
 */
export function usePinToEnd(scroller: RefObject<HTMLElement | null>, active: boolean): void {
  useEffect(() => {
    const element = scroller.current;
    const content = element?.querySelector('[data-testid="virtuoso-item-list"]');
    if (!active || !element || !content) return undefined;
    const fromEnd = () => element.scrollHeight - element.scrollTop - element.clientHeight;
    // Not read before the page is laid out, which it would be for this alone.
    let pinned: boolean | undefined;
    let [scrollTop, scrollHeight, clientHeight] = [0, 0, 0];
    let movesUntil = 0;
    const onMove = ({ type }: Event) => {
      movesUntil = performance.now() + moving[type as keyof typeof moving];
    };
    const onScroll = () => {
      const samePlace = element.scrollHeight === scrollHeight && element.clientHeight === clientHeight;
      if (fromEnd() <= endThreshold) pinned = true;
      // Only the person scrolls up while nothing changes its size; by what they do while rows are drawn and measured.
      else if ((samePlace || performance.now() < movesUntil) && element.scrollTop < scrollTop) pinned = false;
      ({ scrollTop, scrollHeight, clientHeight } = element);
    };
    const observer = new ResizeObserver(() => {
      if (pinned === undefined) {
        pinned = fromEnd() <= endThreshold;
        ({ scrollTop, scrollHeight, clientHeight } = element);
      } else if (pinned && fromEnd() > 1) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
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
