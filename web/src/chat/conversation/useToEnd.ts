import type { RefObject } from 'react';
import { useCallback, useEffect, useRef } from 'react';
import type { VirtuosoHandle } from 'react-virtuoso';
import { endThreshold } from './usePinToEnd.ts';

const stepMs = 100;
/** So long it is gone on; a machine that needs more time has reached some end by then. */
const timeoutMs = 5_000;
/** Whoever does one of these wants to be somewhere else. */
const own = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Whether the last row is drawn and in view. */
function isThere(scroller: HTMLElement): boolean {
  const last = [...scroller.querySelectorAll('article')].at(-1);
  if (last?.getAttribute('aria-posinset') !== last?.getAttribute('aria-setsize')) return false;
  return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= endThreshold;
}

/**
 * Leads to the end of the list. Rows that were never drawn turn out to be of another height than was thought, and long
 * ones take their time, so it is gone on until the end is there and stays.
 */
export function useToEnd(list: RefObject<VirtuosoHandle | null>, scroller: RefObject<HTMLElement | null>): () => void {
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
