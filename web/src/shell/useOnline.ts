import { useSyncExternalStore } from 'react';
import { listen } from '../device/listen.ts';

const subscribeToNetwork = (changed: () => void) => listen(window, ['online', 'offline'], changed);

export function useOnline(): boolean {
  return useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);
}
