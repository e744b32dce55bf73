import type { Timers } from '../ports.ts';
import type { ServerClock } from './serverClock.ts';

/** Timers of one client, all of which can be ended together. */
export interface ClientTimers extends Timers {
  /** Cancels everything planned, for a client that is closed. */
  cancelAll(): void;
}

/** Creates a client's only timers and clock for deadlines: the server's, whatever the device's clock says. */
export function createTimers(
  clock: Pick<ServerClock, 'now' | 'certain' | 'subscribe'>,
  random: () => number = Math.random,
): ClientTimers {
  const cancels = new Set<() => void>();
  return {
    now: () => clock.now(),
    certain: clock.certain,
    onMoved: (task) => clock.subscribe(task),
    after(ms, task) {
      const cancel = (): void => {
        clearTimeout(handle);
        cancels.delete(cancel);
      };
      const handle = setTimeout(() => {
        cancels.delete(cancel);
        task();
      }, ms);
      cancels.add(cancel);
      return cancel;
    },
    random,
    cancelAll() {
      for (const cancel of cancels) cancel();
    },
  };
}
