import { useSyncExternalStore } from 'react';
import { listen } from '../device/listen.ts';

export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (changed) => listen(matchMedia(query), ['change'], changed),
    () => matchMedia(query).matches,
  );
}
