import { isFull, takeTokens } from './tokenBucket.ts';

const rate = { burst: 3, perSecond: 2 };

describe('takeTokens', () => {
  it('allows the burst, then reports how long to wait', () => {
    const bucket = { tokens: rate.burst, filledAt: 0 };
    expect([takeTokens(bucket, 0, rate), takeTokens(bucket, 0, rate), takeTokens(bucket, 0, rate)]).toEqual([0, 0, 0]);
    expect(takeTokens(bucket, 0, rate)).toBe(500);
  });

  it('refills, but not beyond the burst', () => {
    const bucket = { tokens: 0, filledAt: 0 };
    expect(takeTokens(bucket, 500, rate)).toBe(0);
    expect(takeTokens(bucket, 500, rate)).toBeGreaterThan(0);
    expect(takeTokens(bucket, 3_600_000, rate)).toBe(0);
    expect(bucket.tokens).toBe(2);
  });

  it('is not emptied by a clock that moves back', () => {
    const bucket = { tokens: 2, filledAt: 1_000 };
    expect(takeTokens(bucket, 0, rate)).toBe(0);
    expect(bucket.tokens).toBe(1);
  });

  it('takes several tokens at once, or none', () => {
    const bucket = { tokens: 3, filledAt: 0 };
    expect(takeTokens(bucket, 0, rate, 2)).toBe(0);
    expect(takeTokens(bucket, 0, rate, 2)).toBe(500);
    expect(bucket.tokens).toBe(1);
  });
});

it('is full again after a while', () => {
  const bucket = { tokens: 0, filledAt: 0 };
  expect(isFull(bucket, 1_499, rate)).toBe(false);
  expect(isFull(bucket, 1_500, rate)).toBe(true);
});
