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

/** Asks at most once in `freshMs`; whoever asks more often gets the last answer. */
export function remembered<T>(freshMs: number, ask: () => Promise<T>): () => Promise<T> {
  let last: { answer: Promise<T>; at: number } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at >= freshMs) last = { answer: ask(), at: now };
    return last.answer;
  };
}

/**
 * A figure from elsewhere, for a gauge's collect(): undefined where it cannot be had within two
 * seconds, so that a scrape, which tells about everything else, never fails or waits for long.
 */
export function askedAtScrape<T>(ask: () => Promise<T>): () => Promise<T | undefined> {
  return remembered(5000, () => answerWithin(ask(), 2000).catch(() => undefined));
}
