/** Where the offset of this device's clock is kept; it belongs to the device, not to an account. */
const storageKey = 'nolo.clock';

/** A header says whole seconds: the server's clock was at most so much further. */
const headerStepMs = 1_000;
/** Less than this is the drift of two clocks; more is a sleep, or somebody who set the device's clock. */
const jumpMs = 5_000;

interface ClockPorts {
  /** The device's clock, in milliseconds since the epoch. Anybody may set it. */
  wall: () => number;
  /** Milliseconds since the page began. Nobody can set it, but many browsers stop it while the device sleeps. */
  elapsed: () => number;
  storage: Pick<Storage, 'getItem' | 'setItem'> | undefined;
  /** Sends any request, whose answer or failure then reaches `heard` or `unanswered`. */
  ask: () => void;
}

function readAhead(storage: ClockPorts['storage']): number {
  try {
    return Number(storage?.getItem(storageKey)) || 0;
  } catch {
    return 0;
  }
}

/**
 * The server's clock, as far as its answers tell. Deadlines come from the server, so a device whose clock is wrong must not
 * judge them. Between answers it advances by `elapsed`, which nobody can set.
 */
export function createServerClock({ wall, elapsed, storage, ask }: ClockPorts) {
  /** The server's clock minus the device's, as kept for the next start. */
  let ahead = readAhead(storage);
  /** The server's clock when the page began. */
  let base = wall() + ahead - elapsed();
  let asking = false;
  let becomeCertain = (): void => undefined;
  const certain = new Promise<void>((resolve) => (becomeCertain = resolve));
  const listeners = new Set<() => void>();

  /** How much further the clock would be by the device's own. */
  const behind = (): number => wall() + ahead - elapsed() - base;

  const moveTo = (next: number): void => {
    const moved = Math.abs(next - base);
    base = next;
    if (moved > headerStepMs) for (const listener of listeners) listener();
  };

  return {
    /** Milliseconds since the epoch. */
    now(): number {
      // A sleep and a clock that somebody set forward look the same from here; the server knows.
      if (!asking && behind() > jumpMs) {
        asking = true;
        ask();
      }
      return base + elapsed();
    },
    /**
     * Learns from the `Date` header of an answer (RFC 9110 section 6.6.1), which was written after `sentAt`, in
     * milliseconds of `elapsed`, and before now.
     */
    heard(headers: Headers, sentAt: number): void {
      const date = Date.parse(headers.get('Date') ?? '');
      if (Number.isNaN(date) || headers.get('Cache-Control')?.includes('max-age')) return;
      asking = false;
      moveTo(Math.min(Math.max(base, date - elapsed()), date + headerStepMs - sentAt));
      const drift = behind();
      if (Math.abs(drift) > headerStepMs / 2) {
        ahead -= drift;
        try {
          storage?.setItem(storageKey, String(Math.round(ahead)));
        } catch {
          // A full storage: the next visit learns it again.
        }
      }
      becomeCertain();
    },
    /** No server answers. The device's clock is then all there is to tell how long a sleep was. */
    unanswered(): void {
      asking = false;
      if (behind() > jumpMs) moveTo(base + behind());
      becomeCertain();
    },
    /** Resolves once a server has answered in this visit, or could not. What cannot be undone waits for it. */
    certain,
    /** Calls back when the clock has moved by more than a second. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** How far the server's clock is ahead of the device's, in milliseconds, for threads that only have the latter. */
    aheadMs: (): number => base + elapsed() - wall(),
  };
}

const askTimeoutMs = 5_000;

async function askServer(): Promise<void> {
  const sentAt = performance.now();
  try {
    const signal = AbortSignal.timeout(askTimeoutMs);
    const { headers } = await fetch('/api/config', { method: 'HEAD', cache: 'no-store', signal });
    serverClock.heard(headers, sentAt);
  } catch {
    serverClock.unanswered();
  }
}

function deviceStorage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    // Some browsers refuse it to a page without cookies.
    return undefined;
  }
}

export const serverClock = createServerClock({
  // Clock: the device's own, which the server's answers correct.
  wall: () => Date.now(),
  elapsed: () => performance.now(),
  storage: deviceStorage(),
  ask: () => void askServer(),
});

/** Milliseconds since the epoch by the server's clock: the app's only clock for times that a server or a person named. */
export const serverNow = (): number => serverClock.now();
