import type { Timers } from '../ports.ts';

/** Milliseconds after which a slow storage is treated as absent. */
const storageTimeoutMs = 2_000;

/**
 * Returns the device's result. Returns undefined if the device fails or does not respond, because the server has the
 * data too.
 */
export async function readFromDevice<T>(timers: Timers, request: Promise<T> | undefined): Promise<T | undefined> {
  if (!request) return undefined;
  let cancel = () => {};
  const timeout = new Promise<undefined>((resolve) => {
    cancel = timers.after(storageTimeoutMs, () => resolve(undefined));
  });
  return Promise.race([request.catch(() => undefined), timeout]).finally(() => cancel());
}
