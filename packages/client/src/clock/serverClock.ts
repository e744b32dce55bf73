/** Storage key of the offset of this device's clock, which belongs to the device, not to an account. */
const storageKey = 'nolo.clock';

/** Resolution of the header: the server's clock was at most this much further. */
const headerStepMs = 1_000;
/** Jump threshold: less is the drift of two clocks; more is a sleep, or a change of the device's clock. */
const jumpMs = 5_000;

interface ClockPorts {
  /** Returns the device's clock, in milliseconds since the epoch. The user may change it. */
  wall: () => number;
  /** Returns milliseconds since the page began. It cannot be changed, but many browsers stop it during sleep. */
  elapsed: () => number;
  storage: { getItem(key: string): string | null; setItem(key: string, value: string): void } | undefined;
  /** Sends any request, whose answer or failure then reaches `answered` or `unanswered`. */
  refresh: () => void;
}

function readAhead(storage: ClockPorts['storage']): number {
  try {
    return Number(storage?.getItem(storageKey)) || 0;
  } catch {
    return 0;
  }
}

/**
 * Tracks the server's clock, as far as its answers show it. Deadlines come from the server, so a device whose clock is
 * wrong must not judge them. Between answers it advances by `elapsed`, which cannot be changed.
 */
export function createServerClock({ wall, elapsed, storage, refresh }: ClockPorts) {
  /** Server's clock minus the device's, as stored for the next start. */
  let ahead = readAhead(storage);
  /** Server's clock when the page began. */
  let base = wall() + ahead - elapsed();
  let isRefreshing = false;
  let becomeCertain = (): void => undefined;
  const certain = new Promise<void>((resolve) => (becomeCertain = resolve));
  const listeners = new Set<() => void>();

  /** Returns how much further the clock would be by the device's own. */
  const behind = (): number => wall() + ahead - elapsed() - base;

  const moveTo = (next: number): void => {
    const moved = Math.abs(next - base);
    base = next;
    if (moved > headerStepMs) for (const listener of listeners) listener();
  };

  return {
    /** Returns milliseconds since the epoch. */
    now(): number {
      // A sleep and a clock set forward look the same from here, so the server must be queried.
      if (!isRefreshing && behind() > jumpMs) {
        isRefreshing = true;
        refresh();
      }
      return base + elapsed();
    },
    /**
     * Updates the clock from the `Date` header of an answer (RFC 9110 section 6.6.1), which was written after `sentAt`,
     * in milliseconds of `elapsed`, and before now.
     */
    answered(headers: Headers, sentAt: number): void {
      const date = Date.parse(headers.get('Date') ?? '');
      if (Number.isNaN(date) || headers.get('Cache-Control')?.includes('max-age')) return;
      isRefreshing = false;
      moveTo(Math.min(Math.max(base, date - elapsed()), date + headerStepMs - sentAt));
      const drift = behind();
      if (Math.abs(drift) > headerStepMs / 2) {
        ahead -= drift;
        try {
          storage?.setItem(storageKey, String(Math.round(ahead)));
        } catch {
          // If storage is full, the next page load gets the offset again.
        }
      }
      becomeCertain();
    },
    /** Handles a missing answer: only the device's clock then shows how long a sleep was. */
    unanswered(): void {
      isRefreshing = false;
      if (behind() > jumpMs) moveTo(base + behind());
      becomeCertain();
    },
    /** Resolves once a server has answered since the page load, or could not. Irreversible actions wait for it. */
    certain,
    /** Calls back when the clock has moved by more than a second. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /**
     * Returns how far the server's clock is ahead of the device's, in milliseconds, for threads that only have the
     * latter.
     */
    aheadMs: (): number => base + elapsed() - wall(),
  };
}

export type ServerClock = ReturnType<typeof createServerClock>;
