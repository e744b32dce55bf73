/** Figures that are asked for when Prometheus asks: how often that may cost something, and how long it may take. */

/** Rejects where no answer comes in time; the asking itself goes on. */
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

/** How long one answer serves all who scrape, so that several of them cost no more than one. */
const freshMs = 10_000;
/** How long a scrape waits for an answer, counted from when it was asked for. */
const usualWaitMs = 2_000;
/** How long an answer is told while no newer one comes. */
const heldMs = 60_000;

interface AskOptions {
  freshMs?: () => number;
  heldMs?: number;
}

/**
 * Asks for one answer at a time, however many want it, and seldom. Whoever wants it waits for a moment, then gets the last
 * answer: a scrape, which tells about everything else, never fails, and waits once for each answer that is late. Undefined
 * where there is none, or where the last one is old.
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
        // The last answer holds for a while; it is asked again in due time.
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
