import { useSyncExternalStore } from 'react';

const minuteMs = 60_000;

function subscribe(changed: () => void): () => void {
  const timer = setInterval(changed, minuteMs);
  document.addEventListener('visibilitychange', changed);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', changed);
  };
}

/** The time to the minute, for words such as Today that turn wrong on a screen left open. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / minuteMs) * minuteMs);
}
