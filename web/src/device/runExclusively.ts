import type { RunExclusively } from '@nolo/client/ports';

/** Uses Web Locks: the next one runs when this one is done or its tab closes. */
export const runExclusively: RunExclusively = async (name, signal, task) => {
  // Insecure contexts have no locks. Two tabs then do the same work, which is harmless.
  if (!('locks' in navigator)) return task();
  try {
    await navigator.locks.request(name, { signal }, task);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
