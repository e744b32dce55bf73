import type { Pace } from '@nolo/rules';

/**
 * What is left of a pace. It is two numbers that may live in another object, because there are very many sockets and each
 * byte counts.
 */
export interface Bucket {
  tokens: number;
  /** Milliseconds, by the same clock as `now`. */
  filledAt: number;
}

function refill(bucket: Bucket, nowMs: number, { burst, perSecond }: Pace): void {
  const elapsed = Math.max(0, nowMs - bucket.filledAt);
  bucket.tokens = Math.min(burst, bucket.tokens + (elapsed / 1000) * perSecond);
  bucket.filledAt = nowMs;
}

/** Takes `amount` tokens. Answers 0, or the milliseconds until there are so many; then nothing was taken. */
export function takeTokens(bucket: Bucket, nowMs: number, pace: Pace, amount = 1): number {
  refill(bucket, nowMs, pace);
  if (bucket.tokens >= amount) {
    bucket.tokens -= amount;
    return 0;
  }
  return Math.ceil(((amount - bucket.tokens) / pace.perSecond) * 1000);
}

/** Whether it is like a new one by now, so that nothing is lost by forgetting it. */
export function isFull(bucket: Bucket, nowMs: number, pace: Pace): boolean {
  refill(bucket, nowMs, pace);
  return bucket.tokens >= pace.burst;
}
