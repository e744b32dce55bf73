import type { Timers } from '../api/ports.ts';
import { whenIdle } from '../ui/turns.ts';

/** What goes on in the background waits for its turn; every wait rejects once it is ended. */
export interface Pace {
  /** So long, and until the page has nothing better to do. */
  rest(ms: number): Promise<void>;
  /** Until there is a line to the server, and somebody to see what it brings. */
  line(): Promise<void>;
}

export interface PaceSurroundings {
  timers: Timers;
  signal: AbortSignal;
  isConnected(): boolean;
  /** Calls back with every change of the line; answers what ends that. */
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
