import { useEffect } from 'react';
import { listen } from '../device/listen.ts';

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
    const stop = listen(document, ['visibilitychange'], () => void hold());
    void hold();
    return () => {
      gone = true;
      stop();
      void lock?.release().catch(() => undefined);
    };
  }, []);
}
