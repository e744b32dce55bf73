/** Metrics that are queried at each scrape, with limits on their frequency and duration. */

/** Rejects if there is no answer in time; the query itself continues. */
export async function promiseWithTimeout<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), timeoutMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Time for which one answer serves all scrapes, so that several scrapers cost no more than one. */
const freshMs = 10_000;
/** Maximum wait of a scrape for an answer, counted from the start of the query. */
const defaultWaitMs = 2_000;
/** Time for which an answer is reported while no newer one arrives. */
const maxStaleMs = 60_000;

interface SampleOptions {
  freshMs?: () => number;
  maxStaleMs?: number;
}

/**
 * Wraps a query so that only one runs at a time, and rarely. A scrape waits briefly, and then uses the last answer: it
 * reports on everything else too, so it never fails, and waits only once for a late answer. Returns undefined without
 * an answer, or if the last one is too old.
 */
export function sampleOnScrape<T>(
  sample: () => Promise<T>,
  options: SampleOptions = {},
): (waitMs?: number) => Promise<T | undefined> {
  const isFreshFor = options.freshMs ?? (() => freshMs);
  let last: { answer: T; at: number } | undefined;
  let sampling: { at: number; over: Promise<void> } | undefined;
  let sampledAt = Number.NEGATIVE_INFINITY;
  const since = (at: number) => performance.now() - at;

  const begin = () => {
    sampledAt = performance.now();
    const keep = async () => {
      try {
        last = { answer: await sample(), at: performance.now() };
      } catch {
        // The last answer stays valid for a while; the next query comes in due time.
      } finally {
        sampling = undefined;
      }
    };
    sampling = { at: sampledAt, over: keep() };
  };

  return async (waitMs = defaultWaitMs) => {
    if (!sampling && since(sampledAt) >= isFreshFor()) begin();
    const leftMs = sampling ? waitMs - since(sampling.at) : 0;
    if (sampling && leftMs > 0) await promiseWithTimeout(sampling.over, leftMs).catch(() => undefined);
    return last && since(last.at) < (options.maxStaleMs ?? maxStaleMs) ? last.answer : undefined;
  };
}
