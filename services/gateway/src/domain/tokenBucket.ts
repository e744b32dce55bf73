import type { RateAllowance } from '@nolo/rules';

/** State of a pace. Its two numbers may be part of another object, because with very many sockets each byte counts. */
export interface TokenBucket {
  tokens: number;
  /** Milliseconds, on the same clock as `now`. */
  filledAt: number;
}

function refill(bucket: TokenBucket, nowMs: number, { burst, perSecond }: RateAllowance): void {
  const elapsed = Math.max(0, nowMs - bucket.filledAt);
  bucket.tokens = Math.min(burst, bucket.tokens + (elapsed / 1000) * perSecond);
  bucket.filledAt = nowMs;
}

/** Takes `amount` tokens. Returns 0, or the milliseconds until enough are available; nothing is taken then. */
export function takeTokens(bucket: TokenBucket, nowMs: number, pace: RateAllowance, amount = 1): number {
  refill(bucket, nowMs, pace);
  if (bucket.tokens >= amount) {
    bucket.tokens -= amount;
    return 0;
  }
  return Math.ceil(((amount - bucket.tokens) / pace.perSecond) * 1000);
}

/** Returns true if it equals a new one, so that it can be deleted without loss. */
export function isFull(bucket: TokenBucket, nowMs: number, pace: RateAllowance): boolean {
  refill(bucket, nowMs, pace);
  return bucket.tokens >= pace.burst;
}
