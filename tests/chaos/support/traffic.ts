/** What all light clients share. */
export interface Traffic {
  /** Messages and changes on their way, by the gateway that was asked first: one that is silent does not hold up both. */
  readonly inFlight: number[];
  /** Above this many at a gateway nobody begins anything new: more would only wait for each other. */
  readonly mostInFlight: number;
  /** Answers other than success, by status; 0 where none came. */
  readonly refusals: Record<string, number>;
  breaks: number;
  /** By what made them necessary. */
  readonly catchUps: Record<string, number>;
}

/** @throws Error at once where the signal says so. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
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
