/** Runs the task once no other tab of the account runs one of this name; not at all once `signal` is aborted. */
export type Exclusively = (name: string, signal: AbortSignal, task: () => Promise<void>) => Promise<void>;

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
