import { useEffect } from 'react';

/** Keeps the screen on during calls and meetings. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let gone = false;
    const hold = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      lock = await navigator.wakeLock.request('screen').catch(() => undefined);
      if (gone) void lock?.release();
    };
    // The browser releases the lock whenever the page is hidden.
    const handleVisibility = () => void hold();
    handleVisibility();
    document.addEventListener('visibilitychange', handleVisibility);
    return () => {
      gone = true;
      document.removeEventListener('visibilitychange', handleVisibility);
      void lock?.release().catch(() => undefined);
    };
  }, []);
}
