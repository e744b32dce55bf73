import type { Timers } from '@nolo/client/ports';
import { runWhenIdle } from '../ui/scheduler.ts';

/** Paces background work. Every wait rejects once the pace has ended. */
export interface SearchPace {
  /** Waits for `ms` milliseconds, and then until the page is idle. */
  rest(ms: number): Promise<void>;
  /** Waits until the server is connected and the page is visible. */
  waitUntilOnline(): Promise<void>;
}

export interface SearchPaceDependencies {
  timers: Timers;
  signal: AbortSignal;
  isConnected(): boolean;
  /** Calls `changed` for each change of the connection. Returns a function that stops it. */
  onConnection(changed: () => void): () => void;
}

export function createSearchPace({ timers, signal, isConnected, onConnection }: SearchPaceDependencies): SearchPace {
  const isReady = (): boolean => isConnected() && document.visibilityState === 'visible';
  return {
    rest: (ms) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        let cancel = timers.after(ms, () => {
          cancel = runWhenIdle(resolve);
        });
        signal.addEventListener('abort', () => {
          cancel();
          reject(signal.reason as Error);
        });
      }),
    waitUntilOnline: () =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        if (isReady()) return resolve();
        const check = (): void => {
          if (!isReady()) return;
          end();
          resolve();
        };
        const unsubscribe = onConnection(check);
        const end = (): void => {
          unsubscribe();
          document.removeEventListener('visibilitychange', check);
        };
        document.addEventListener('visibilitychange', check);
        signal.addEventListener('abort', () => {
          end();
          reject(signal.reason as Error);
        });
      }),
  };
}
