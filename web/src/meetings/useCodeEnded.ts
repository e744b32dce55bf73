import { useCallback, useSyncExternalStore } from 'react';

/** The longest wait that a timer takes. */
const longestMs = 2 ** 31 - 1;

/** Whether a room code has ended, which takes effect to the moment. */
export function useCodeEnded(codeExpiresAt: string | null): boolean {
  const at = codeExpiresAt === null ? Infinity : Date.parse(codeExpiresAt);
  const subscribe = useCallback(
    (changed: () => void) => {
      const wait = at - Date.now();
      if (wait <= 0 || wait > longestMs) return () => undefined;
      const timer = setTimeout(changed, wait);
      return () => clearTimeout(timer);
    },
    [at],
  );
  return useSyncExternalStore(subscribe, () => Date.now() >= at);
}
