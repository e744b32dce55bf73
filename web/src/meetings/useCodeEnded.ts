import { useCallback, useSyncExternalStore } from 'react';
import { serverClock, serverNow } from '../api/serverClock.ts';

/** The longest wait that a timer takes. */
const longestMs = 2 ** 31 - 1;

/** Whether a room code has ended, which takes effect to the moment. */
export function useCodeEnded(codeExpiresAt: string | null): boolean {
  const at = codeExpiresAt === null ? Infinity : Date.parse(codeExpiresAt);
  const subscribe = useCallback(
    (changed: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const wait = (): void => {
        clearTimeout(timer);
        changed();
        const left = at - serverNow();
        if (left > 0 && left <= longestMs) timer = setTimeout(changed, left);
      };
      wait();
      const stop = serverClock.subscribe(wait);
      return () => {
        clearTimeout(timer);
        stop();
      };
    },
    [at],
  );
  return useSyncExternalStore(subscribe, () => serverNow() >= at);
}
