import { useEffect, type RefObject } from 'react';

/** Pixels from the end that still count as being at the end. */
export const endThreshold = 48;

/** Milliseconds after each event during which the user may still be scrolling. */
const scrollingMsByEvent = { wheel: 300, keydown: 300, touchmove: 2_000, pointerdown: 2_000 } as const;

interface ScrollerHandlers {
  onScroll: () => void;
  /** Runs after layout, at first too. Reading a position outside of it would force a layout. */
  onResize: () => void;
}

/** Watches a scrolling element and its content. Returns whether the user may be scrolling, and a function to stop. */
export function watchScroller(
  element: HTMLElement,
  sized: readonly Element[],
  { onScroll, onResize }: ScrollerHandlers,
) {
  let movesUntil = 0;
  const onMove = ({ type }: Event) => {
    movesUntil = performance.now() + scrollingMsByEvent[type as keyof typeof scrollingMsByEvent];
  };
  const observer = new ResizeObserver(onResize);
  for (const one of sized) observer.observe(one);
  element.addEventListener('scroll', onScroll, { passive: true });
  const events = Object.keys(scrollingMsByEvent);
  for (const event of events) element.addEventListener(event, onMove, { passive: true });
  return {
    isMoving: () => performance.now() < movesUntil,
    stop() {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
      for (const event of events) element.removeEventListener(event, onMove);
    },
  };
}

/**
 * Keeps the end of the list in view for users at the end while content above grows or space shrinks: a message is
 * rejected, the details pane opens, the keyboard appears.
 */
export function usePinToEnd(scroller: RefObject<HTMLElement | null>, active: boolean): void {
  useEffect(() => {
    const element = scroller.current;
    const content = element?.querySelector('[data-testid="virtuoso-item-list"]');
    if (!active || !element || !content) return undefined;
    const fromEnd = () => element.scrollHeight - element.scrollTop - element.clientHeight;
    let pinned: boolean | undefined;
    let [scrollTop, scrollHeight, clientHeight] = [0, 0, 0];
    const watch = watchScroller(element, [element, content], {
      onScroll() {
        const samePlace = element.scrollHeight === scrollHeight && element.clientHeight === clientHeight;
        if (fromEnd() <= endThreshold) pinned = true;
        // Scrolling up at constant size comes from the user. While rows are rendered and measured, recent input events
        // decide.
        else if ((samePlace || watch.isMoving()) && element.scrollTop < scrollTop) pinned = false;
        ({ scrollTop, scrollHeight, clientHeight } = element);
      },
      onResize() {
        if (pinned === undefined) {
          pinned = fromEnd() <= endThreshold;
          ({ scrollTop, scrollHeight, clientHeight } = element);
        } else if (pinned && fromEnd() > 1) element.scrollTop = element.scrollHeight;
      },
    });
    return watch.stop;
  }, [scroller, active]);
}
