import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '../progress.ts';
import { sentenceOf } from '../refusal.ts';
import { provideMediaWorker, withoutMedia, type MediaWorker } from './provideMediaWorker.ts';

/** Something that is being done beside everything else. */
export interface BackgroundProvision {
  /** From now on it is nobody's business how it ends. */
  forget: () => void;
  /** Resolves when it has ended and cleaned up, or when that takes too long to be waited for. */
  readonly ended: Promise<void>;
}

/**
 * Provides the worker while the app is up already, and puts it to use; without one it says what is lost, and nothing else
 * happens.
 */
export function provideInBackground(
  progress: Progress,
  onReady: (worker: MediaWorker) => Promise<void>,
): BackgroundProvision {
  let forgotten = false;
  const quiet: Progress = {
    ...progress,
    say: (line) => {
      if (!forgotten) progress.say(line);
    },
  };
  const work = provideMediaWorker({ progress: quiet }).then(
    async (worker) => {
      if (forgotten) return;
      try {
        await onReady(worker);
      } catch (error) {
        if (!forgotten) progress.warn(`Calls and meetings have no media server: ${sentenceOf(error)}`);
      }
    },
    (error: unknown) => {
      if (!forgotten) progress.warn(withoutMedia(error));
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
