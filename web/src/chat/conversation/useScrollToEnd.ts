import { useCallback, useEffect, useRef, type RefObject } from 'react';
import type { VirtuosoHandle } from 'react-virtuoso';
import { endThreshold } from './usePinToEnd.ts';

const stepMs = 100;
/** Timeout in milliseconds. A slow machine has reached some end by then. */
const timeoutMs = 5_000;
/** User events that show that the user wants to be elsewhere. */
const own = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Returns true if the last row is rendered and in view. */
function isThere(scroller: HTMLElement): boolean {
  const last = [...scroller.querySelectorAll('article[data-key]')].at(-1);
  if (last?.getAttribute('aria-posinset') !== last?.getAttribute('aria-setsize')) return false;
  return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= endThreshold;
}

/**
 * Scrolls to the end of the list. Rows rendered for the first time differ from their estimated height, and long ones
 * take time, so scrolling continues until the end is reached and stable.
 */
export function useScrollToEnd(
  list: RefObject<VirtuosoHandle | null>,
  scroller: RefObject<HTMLElement | null>,
): () => void {
  const stopLast = useRef<() => void>(undefined);
  useEffect(() => () => stopLast.current?.(), []);
  return useCallback(() => {
    stopLast.current?.();
    const until = performance.now() + timeoutMs;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let steady = 0;
    const stop = (): void => {
      clearTimeout(timer);
      for (const event of own) removeEventListener(event, stop);
    };
    const step = (): void => {
      const element = scroller.current;
      if (!element || steady >= 3 || performance.now() > until) return stop();
      steady = isThere(element) ? steady + 1 : 0;
      if (steady === 0) list.current?.scrollToIndex({ index: 'LAST', align: 'end', behavior: 'auto' });
      timer = setTimeout(step, stepMs);
    };
    for (const event of own) addEventListener(event, stop, { passive: true });
    stopLast.current = stop;
    step();
  }, [list, scroller]);
}
