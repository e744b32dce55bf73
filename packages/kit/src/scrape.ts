/** Metrics that are queried at each scrape, with limits on their frequency and duration. */

/** Rejects if there is no answer in time; the query itself continues. */
export async function answerWithin<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
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
const usualWaitMs = 2_000;
/** Time for which an answer is reported while no newer one arrives. */
const heldMs = 60_000;

interface AskOptions {
  freshMs?: () => number;
  heldMs?: number;
}

/**
 * Wraps a query so that only one runs at a time, and rarely. A scrape waits briefly, and then uses the last answer: it
 * reports on everything else too, so it never fails, and waits only once for a late answer. Returns undefined without
 * an answer, or if the last one is too old.
 */
export function askedAtScrape<T>(
  ask: () => Promise<T>,
  options: AskOptions = {},
): (waitMs?: number) => Promise<T | undefined> {
  const isFreshFor = options.freshMs ?? (() => freshMs);
  let last: { answer: T; at: number } | undefined;
  let asking: { at: number; over: Promise<void> } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  const since = (at: number) => performance.now() - at;

  const begin = () => {
    askedAt = performance.now();
    const keep = async () => {
      try {
        last = { answer: await ask(), at: performance.now() };
      } catch {
        // The last answer stays valid for a while; the next query comes in due time.
      } finally {
        asking = undefined;
      }
    };
    asking = { at: askedAt, over: keep() };
  };

  return async (waitMs = usualWaitMs) => {
    if (!asking && since(askedAt) >= isFreshFor()) begin();
    const leftMs = asking ? waitMs - since(asking.at) : 0;
    if (asking && leftMs > 0) await answerWithin(asking.over, leftMs).catch(() => undefined);
    return last && since(last.at) < (options.heldMs ?? heldMs) ? last.answer : undefined;
  };
}
