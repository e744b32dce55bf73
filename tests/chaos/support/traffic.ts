/** State shared by all light clients. */
export interface ChaosTraffic {
  /** Messages and changes in flight, by the first gateway used: a silent gateway does not hold up the others. */
  readonly inFlight: number[];
  /**
   * Limit in flight at a gateway; above it no client begins anything new, because more would only wait for each other.
   */
  readonly maxInFlight: number;
  /** Unsuccessful answers by status; 0 if there was no answer. */
  readonly refusals: Record<string, number>;
  breaks: number;
  /** Catch-ups by cause. */
  readonly catchUps: Record<string, number>;
}

/** @throws Error immediately when the signal aborts. */
export function pauseUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new Error('stopped'));
    };
    if (signal.aborted) return stop();
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
