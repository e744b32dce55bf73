import type { RefObject } from 'react';
import { useEffect, useState } from 'react';

/** Whether an element is higher than wide, kept up to date: a panel beside it takes of its width. */
export function useIsPortrait(element: RefObject<HTMLElement | null>): boolean {
  const [portrait, setPortrait] = useState(() => matchMedia('(max-aspect-ratio: 1/1)').matches);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setPortrait(entry.contentRect.height >= entry.contentRect.width);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return portrait;
}
