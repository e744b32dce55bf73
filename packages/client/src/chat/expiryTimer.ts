import type { ChatCore } from './chatCore.ts';
import { findNextExpiry, withoutExpiredContent } from './expiry.ts';
import type { ChatDeviceStorage } from './ports.ts';

/** Maximum milliseconds until the clock is checked again, because timers stop while the device sleeps. */
const longestWaitMs = 3_600_000;

/** Removes messages from the screen and the device when they expire, even while the server is unreachable. */
export function createExpiryTimer({ store, patch, timers }: ChatCore, device: ChatDeviceStorage | undefined) {
  let cancel: (() => void) | null = null;
  let due = Infinity;
  /** Time of the next expiry among messages that only the device has. */
  let keptNext = Infinity;
  let stopped = false;
  /** False until the clock is certain, because expired messages cannot be restored. */
  let certain = timers.certain === undefined;

  const purgeDevice = async (): Promise<void> => {
    const next = await device?.removeExpired(timers.now()).catch(() => null);
    keptNext = next ?? Infinity;
    plan();
  };
  const run = (): void => {
    cancel = null;
    due = Infinity;
    const now = timers.now();
    patch((state) => withoutExpiredContent(state, now));
    if (keptNext <= now) void purgeDevice();
    else plan();
  };
  const plan = (): void => {
    if (stopped || !certain) return;
    const next = Math.min(findNextExpiry(store.getState()), keptNext);
    if (next === due && cancel) return;
    cancel?.();
    cancel = null;
    due = next;
    if (next === Infinity) return;
    cancel = timers.after(Math.min(Math.max(0, next - timers.now()), longestWaitMs), run);
  };
  const unsubscribe = store.subscribe((state, before) => {
    const same =
      state.timelines === before.timelines &&
      state.windows === before.windows &&
      state.conversations === before.conversations;
    if (!same) plan();
  });
  const stopFollowing = timers.onMoved?.(() => {
    due = Infinity;
    plan();
  });
  const begin = (): void => {
    certain = true;
    if (!stopped) void purgeDevice();
  };
  return {
    start(): void {
      if (timers.certain) void timers.certain.then(begin);
      else begin();
    },
    stop(): void {
      stopped = true;
      cancel?.();
      unsubscribe();
      stopFollowing?.();
    },
  };
}
