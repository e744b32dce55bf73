import type { Timers } from '../../ports.ts';
import type { KeyTasks } from '../keyTasks.ts';
import { dropExpired, listExpiring, loadConversation, toConversationValues } from './conversation.ts';

/**
 * Deleting secrets of conversations with a timer in time, even while idle, by the device's own clock
 * (docs/encryption.md, section 4).
 */

/** Longest time until this device looks again: engines take no longer timers than some weeks. */
const maxWaitMs = 3_600_000;

export interface Expiries {
  /** Looks at the storage, and from then on whenever a secret has to go. */
  start(): void;
  /** Takes the time when the next secret of a conversation has to be gone; null for never. */
  plan(at: number | null): void;
  stop(): void;
}

/**
 * Creates the timer of one process.
 *
 * @param onDropped deletes what the process has in memory
 */
export function createExpiries({ context, runAlone }: KeyTasks, timers: Timers, onDropped: () => void): Expiries {
  let planned = Infinity;
  let cancel = (): void => undefined;
  let isStopped = false;

  async function dropAll(): Promise<number | null> {
    const now = context.deviceNow();
    for (const { id, at } of await listExpiring(context)) {
      if (now <= at) continue;
      const known = await loadConversation(context, id);
      await context.store.write(toConversationValues(known, dropExpired(known, now)));
    }
    const left = await listExpiring(context);
    return left.length === 0 ? null : Math.min(...left.map(({ at }) => at));
  }

  function look(): void {
    planned = Infinity;
    onDropped();
    // A storage that fails now is looked at again later.
    void runAlone(dropAll)
      .catch(() => context.deviceNow() + maxWaitMs)
      .then(plan);
  }

  function plan(at: number | null): void {
    if (isStopped || at === null || at >= planned) return;
    cancel();
    planned = at;
    const wait = Math.min(Math.max(at + 1 - context.deviceNow(), 0), maxWaitMs);
    cancel = timers.after(wait, look);
  }

  return {
    start(): void {
      isStopped = false;
      look();
    },
    plan,
    stop(): void {
      isStopped = true;
      planned = Infinity;
      cancel();
    },
  };
}
