import type { Timers } from '../../api/ports.ts';

/** A storage that takes longer than this to answer is taken for none. */
const storageTimeoutMs = 2_000;

/** What the device answers; undefined where it refuses or keeps silent, for the server is there to be asked. */
export async function fromDevice<T>(timers: Timers, request: Promise<T> | undefined): Promise<T | undefined> {
  if (!request) return undefined;
  let cancel = () => {};
  const timeout = new Promise<undefined>((resolve) => {
    cancel = timers.after(storageTimeoutMs, () => resolve(undefined));
  });
  return Promise.race([request.catch(() => undefined), timeout]).finally(() => cancel());
}
