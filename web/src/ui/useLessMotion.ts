import { useSyncExternalStore } from 'react';

const query = '(prefers-reduced-motion: reduce)';

function follow(onChange: () => void): () => void {
  const list = matchMedia(query);
  list.addEventListener('change', onChange);
  return () => list.removeEventListener('change', onChange);
}

/** Returns true if the user prefers reduced motion. */
export function useLessMotion(): boolean {
  return useSyncExternalStore(follow, () => matchMedia(query).matches);
}
