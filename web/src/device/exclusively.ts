import type { Exclusively } from '../chat/engine/uploads/ports.ts';

/** By Web Locks: whoever asks next has its turn when this one is done, or its tab is closed. */
export const exclusively: Exclusively = async (name, signal, task) => {
  // Outside of secure contexts there are no locks; two tabs then do the same, which is harmless.
  if (!('locks' in navigator)) return task();
  try {
    await navigator.locks.request(name, { signal }, task);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
