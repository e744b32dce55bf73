import { AsyncLocalStorage } from 'node:async_hooks';

/** Call that a handler serves. Its own calls to other services must end by the same deadline. */
interface Inherited {
  /** Deadline in milliseconds since the epoch; Infinity for none. */
  readonly at: number;
  /** True once the call is answered. Work that continues afterwards has no waiting caller. */
  answered: boolean;
}

const current = new AsyncLocalStorage<Inherited>();

/** Runs a handler so that its own calls inherit the deadline of the call that it answers. */
export async function withInheritedDeadline(at: number, work: () => Promise<void>): Promise<void> {
  if (!Number.isFinite(at)) return work();
  const inherited: Inherited = { at, answered: false };
  try {
    await current.run(inherited, work);
  } finally {
    inherited.answered = true;
  }
}

/** Returns the deadline of a call with a timeout of `ms`, or the inherited one if that is sooner. */
export function deadlineAfter(ms: number, now = Date.now()): number {
  const inherited = current.getStore();
  return inherited && !inherited.answered ? Math.min(now + ms, inherited.at) : now + ms;
}

/** Runs work that several calls share, and which therefore ends with none of them. */
export function withoutInheritedDeadline<T>(work: () => Promise<T>): Promise<T> {
  return current.run({ at: Infinity, answered: true }, work);
}
