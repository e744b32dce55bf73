import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '../progress.ts';
import { describeFailure } from '../commandError.ts';
import { provideMediaWorker, describeMissingMediaWorker, type MediaWorker } from './provideMediaWorker.ts';

/** Task that runs in the background. */
export interface MediaWorkerBackgroundTask {
  /** Ignores the result from now on. */
  forget: () => void;
  /** Resolves when the task has ended and cleaned up, or takes too long to wait for. */
  readonly ended: Promise<void>;
}

/**
 * Provides the worker while the app is already running, and starts using it. If that fails, it only reports the lost
 * features.
 */
export function provideMediaWorkerInBackground(
  progress: Progress,
  onReady: (worker: MediaWorker) => Promise<void>,
): MediaWorkerBackgroundTask {
  let forgotten = false;
  const quiet: Progress = {
    ...progress,
    print: (line) => {
      if (!forgotten) progress.print(line);
    },
  };
  const work = provideMediaWorker({ progress: quiet }).then(
    async (worker) => {
      if (forgotten) return;
      try {
        await onReady(worker);
      } catch (error) {
        if (!forgotten) progress.warn(`Calls and meetings have no media server: ${describeFailure(error)}`);
      }
    },
    (error: unknown) => {
      if (!forgotten) progress.warn(describeMissingMediaWorker(error));
    },
  );
  return {
    forget() {
      forgotten = true;
    },
    get ended() {
      return Promise.race([work, sleep(2000)]);
    },
  };
}
