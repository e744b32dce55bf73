import { createServerClock } from '@nolo/client/clock/serverClock';

const requestTimeoutMs = 5_000;

async function requestServerTime(): Promise<void> {
  const sentAt = performance.now();
  try {
    const signal = AbortSignal.timeout(requestTimeoutMs);
    const { headers } = await fetch('/api/config', { method: 'HEAD', cache: 'no-store', signal });
    serverClock.answered(headers, sentAt);
  } catch {
    serverClock.unanswered();
  }
}

function deviceStorage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    // Browsers may deny it to a page without cookies.
    return undefined;
  }
}

export const serverClock = createServerClock({
  // Clock: the device's own, which the server's answers correct.
  wall: () => Date.now(),
  elapsed: () => performance.now(),
  storage: deviceStorage(),
  refresh: () => void requestServerTime(),
});

/**
 * Returns milliseconds since the epoch by the server's clock: the app's only clock for times that a server or a user
 * named.
 */
export const serverNow = (): number => serverClock.now();
