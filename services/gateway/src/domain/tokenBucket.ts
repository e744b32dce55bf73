/**
 * How much a socket may send: `burst` frames at once, then `perSecond`. It is two numbers that live in the connection,
 * because there are very many connections and each byte counts.
 */
export interface Bucket {
  tokens: number;
  /** Milliseconds, by the same clock as `now`. */
  filledAt: number;
}

export const frameRate = { burst: 50, perSecond: 20 } as const;

/** Takes one token. Answers 0, or the milliseconds until there is one again. */
export function takeToken(
  bucket: Bucket,
  nowMs: number,
  rate: { burst: number; perSecond: number } = frameRate,
): number {
  const elapsed = Math.max(0, nowMs - bucket.filledAt);
  bucket.tokens = Math.min(rate.burst, bucket.tokens + (elapsed / 1000) * rate.perSecond);
  bucket.filledAt = nowMs;
  if (bucket.tokens >= 1) {
    bucket.tokens -= 1;
    return 0;
  }
  return Math.ceil(((1 - bucket.tokens) / rate.perSecond) * 1000);
}
