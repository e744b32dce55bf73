import { useSyncExternalStore } from 'react';
import { serverClock, serverNow } from '../api/serverClock.ts';

const minuteMs = 60_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let stopFollowing: (() => void) | undefined;

function notifyListeners(): void {
  for (const changed of listeners) changed();
}

/** Shares one timer, because each row of a list subscribes twice. */
function subscribe(changed: () => void): () => void {
  if (listeners.size === 0) {
    timer = setInterval(notifyListeners, minuteMs);
    stopFollowing = serverClock.subscribe(notifyListeners);
    document.addEventListener('visibilitychange', notifyListeners);
  }
  listeners.add(changed);
  return () => {
    listeners.delete(changed);
    if (listeners.size > 0) return;
    clearInterval(timer);
    stopFollowing?.();
    document.removeEventListener('visibilitychange', notifyListeners);
  };
}

/** Returns the current minute, for words such as Today that become wrong on a screen left open. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(serverNow() / minuteMs) * minuteMs);
}
