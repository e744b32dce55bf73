import { useEffect } from 'react';

/** Keeps the screen from going dark while one talks. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let gone = false;
    const hold = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      lock = await navigator.wakeLock.request('screen').catch(() => undefined);
      if (gone) void lock?.release();
    };
    // The browser lets go of it whenever the page is out of sight.
    const look = () => void hold();
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      gone = true;
      document.removeEventListener('visibilitychange', look);
      void lock?.release().catch(() => undefined);
    };
  }, []);
}
