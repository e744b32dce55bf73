import type { Pace } from '@nolo/rules';

/** State of a pace. Its two numbers may be part of another object, because with very many sockets each byte counts. */
export interface Bucket {
  tokens: number;
  /** Milliseconds, on the same clock as `now`. */
  filledAt: number;
}

function refill(bucket: Bucket, nowMs: number, { burst, perSecond }: Pace): void {
  const elapsed = Math.max(0, nowMs - bucket.filledAt);
  bucket.tokens = Math.min(burst, bucket.tokens + (elapsed / 1000) * perSecond);
  bucket.filledAt = nowMs;
}

/** Takes `amount` tokens. Returns 0, or the milliseconds until enough are available; nothing is taken then. */
export function takeTokens(bucket: Bucket, nowMs: number, pace: Pace, amount = 1): number {
  refill(bucket, nowMs, pace);
  if (bucket.tokens >= amount) {
    bucket.tokens -= amount;
    return 0;
  }
  return Math.ceil(((amount - bucket.tokens) / pace.perSecond) * 1000);
}

/** Returns true if it equals a new one, so that it can be deleted without loss. */
export function isFull(bucket: Bucket, nowMs: number, pace: Pace): boolean {
  refill(bucket, nowMs, pace);
  return bucket.tokens >= pace.burst;
}
