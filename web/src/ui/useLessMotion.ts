import { useSyncExternalStore } from 'react';
import { listen } from '../device/listen.ts';

const query = '(prefers-reduced-motion: reduce)';

const follow = (onChange: () => void) => listen(matchMedia(query), ['change'], onChange);

export function useLessMotion(): boolean {
  return useSyncExternalStore(follow, () => matchMedia(query).matches);
}
