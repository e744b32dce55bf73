import { AsyncLocalStorage } from 'node:async_hooks';

/** A call that a handler works on; what it asks of other services ends no later. */
interface Inherited {
  /** In milliseconds since the epoch; Infinity where the caller set none. */
  readonly at: number;
  /** What goes on after the answer is nobody's who waits. */
  answered: boolean;
}

const current = new AsyncLocalStorage<Inherited>();

/** Runs a handler so that its own calls know of the deadline of the call that it answers. */
export async function withinDeadline(at: number, work: () => Promise<void>): Promise<void> {
  if (!Number.isFinite(at)) return work();
  const inherited: Inherited = { at, answered: false };
  try {
    await current.run(inherited, work);
  } finally {
    inherited.answered = true;
  }
}

/** When a call that may take so long is given up on: with that of the call which asks for it, if that is sooner. */
export function deadlineAfter(ms: number, now = Date.now()): number {
  const inherited = current.getStore();
  return inherited && !inherited.answered ? Math.min(now + ms, inherited.at) : now + ms;
}

/** Runs what several calls wait for together, and which therefore ends with none of them. */
export function outsideDeadline<T>(work: () => Promise<T>): Promise<T> {
  return current.run({ at: Infinity, answered: true }, work);
}
