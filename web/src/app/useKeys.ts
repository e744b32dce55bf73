import type { ServerFrame } from '@nolo/api';
import { useEffect } from 'react';
import type { ChatEngine } from '@nolo/client/chat/chatEngine';
import { keysStore } from '../keys/model/keysStore.ts';
import type { RunningKeys } from '../keys/startKeys.ts';
import { runWhenIdle } from '../ui/scheduler.ts';

/** Delay that gives priority to the first screen and the prefetched lists. */
const afterMs = 4_000;

/** Keys of this tab while they run. */
let running: RunningKeys | undefined;

const keysFrames: readonly string[] = ['devices_changed', 'device_link_changed', 'epochs_changed', 'vault_changed'];

/** Passes a live frame on to the keys. Keys that have not started look at the server when they do. */
export function passFrameToKeys(frame: ServerFrame): void {
  if (keysFrames.includes(frame.type)) running?.onFrame(frame);
}

/** Keeps the keys of the signed-in user. They start when the app is idle, or as soon as a screen needs them. */
export function useKeys(engine: ChatEngine): void {
  const { selfId } = engine.store.getState();
  useEffect(() => {
    let begun = false;
    let ended = false;
    let own: RunningKeys | undefined;
    const load = async (): Promise<void> => {
      const { startKeys } = await import('../keys/startKeys.ts');
      if (!ended) own = running = startKeys(selfId);
    };
    const begin = (): void => {
      if (begun) return;
      begun = true;
      // Offline and never loaded before: the next page load tries again.
      load().catch(() => (begun = false));
    };
    let cancelIdle = (): void => undefined;
    const timer = setTimeout(() => (cancelIdle = runWhenIdle(begin)), afterMs);
    const beginIfWanted = (): void => {
      if (keysStore.getState().wanted) begin();
    };
    beginIfWanted();
    const unsubscribe = keysStore.subscribe(beginIfWanted);
    const stopWatching = engine.store.subscribe(({ connection }, before) => {
      // Frames were missed while the socket was disconnected.
      if (connection === 'open' && before.connection !== 'open') own?.onFrame({ type: 'vault_changed', data: {} });
    });
    return () => {
      ended = true;
      clearTimeout(timer);
      cancelIdle();
      unsubscribe();
      stopWatching();
      own?.stop();
      if (running === own) running = undefined;
    };
  }, [engine, selfId]);
}
