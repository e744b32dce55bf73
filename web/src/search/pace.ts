import type { Timers } from '../api/ports.ts';
import { whenIdle } from '../ui/turns.ts';

/** Paces background work. Every wait rejects once the pace has ended. */
export interface Pace {
  /** Waits for `ms` milliseconds, and then until the page is idle. */
  rest(ms: number): Promise<void>;
  /** Waits until the server is connected and the page is visible. */
  line(): Promise<void>;
}

export interface PaceSurroundings {
  timers: Timers;
  signal: AbortSignal;
  isConnected(): boolean;
  /** Calls `changed` for each change of the connection. Returns a function that stops it. */
  onConnection(changed: () => void): () => void;
}

export function createPace({ timers, signal, isConnected, onConnection }: PaceSurroundings): Pace {
  const isReady = (): boolean => isConnected() && document.visibilityState === 'visible';
  return {
    rest: (ms) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        let cancel = timers.after(ms, () => {
          cancel = whenIdle(resolve);
        });
        signal.addEventListener('abort', () => {
          cancel();
          reject(signal.reason as Error);
        });
      }),
    line: () =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        if (isReady()) return resolve();
        const look = (): void => {
          if (!isReady()) return;
          end();
          resolve();
        };
        const unsubscribe = onConnection(look);
        const end = (): void => {
          unsubscribe();
          document.removeEventListener('visibilitychange', look);
        };
        document.addEventListener('visibilitychange', look);
        signal.addEventListener('abort', () => {
          end();
          reject(signal.reason as Error);
        });
      }),
  };
}
