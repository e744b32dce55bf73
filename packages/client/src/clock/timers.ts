import type { Timers } from '../ports.ts';
import type { ServerClock } from './serverClock.ts';

/** Timers of one client, all of which can be ended together. */
export interface ClientTimers extends Timers {
  /** Cancels everything planned, and plans nothing from then on, for a client that is closed. */
  cancelAll(): void;
}

/** Creates a client's only timers and clock for deadlines: the server's, whatever the device's clock says. */
export function createTimers(
  clock: Pick<ServerClock, 'now' | 'certain' | 'subscribe'>,
  random: () => number = Math.random,
): ClientTimers {
  const cancels = new Set<() => void>();
  let isClosed = false;
  return {
    now: () => clock.now(),
    certain: clock.certain,
    onMoved: (task) => clock.subscribe(task),
    after(ms, task) {
      // Work that was under way when the client closed may end with a plan.
      if (isClosed) return () => undefined;
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
      isClosed = true;
      for (const cancel of cancels) cancel();
    },
  };
}
