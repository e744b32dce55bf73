import type { RefObject } from 'react';
import { useEffect, useState } from 'react';

/**
 * Returns true if an element is higher than wide. It stays up to date, because a side panel takes some of its width.
 */
export function useIsTallerThanWide(element: RefObject<HTMLElement | null>): boolean {
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
