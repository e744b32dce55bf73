import { useCallback, useSyncExternalStore } from 'react';
import { serverClock, serverNow } from '../api/serverClock.ts';

/** Maximum delay of a timer. */
const longestMs = 2 ** 31 - 1;

/** Returns true once a room code has expired, updated to the moment. */
export function useHasRoomCodeExpired(codeExpiresAt: string | null): boolean {
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
