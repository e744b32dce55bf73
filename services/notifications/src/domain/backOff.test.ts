import { retryDelay, retryDelaysMs } from './backOff.ts';

const total = (random: number) =>
  retryDelaysMs.reduce((sum, _, index) => sum + (retryDelay(index + 1, retryDelaysMs, random) ?? 0), 0);

describe('retryDelay', () => {
  it('waits longer each time, for about three days, and then stops', () => {
    const delays = retryDelaysMs.map((_, index) => retryDelay(index + 1, retryDelaysMs, 0.5) ?? 0);
    expect(delays).toEqual([...delays].sort((a, b) => a - b));
    expect(delays[0]).toBe(5_000);
    expect(total(0.5) / 86_400_000).toBeCloseTo(3.15, 1);
    expect(retryDelay(retryDelaysMs.length + 1)).toBeUndefined();
  });

  it('varies by ten percent either way', () => {
    expect(retryDelay(2, retryDelaysMs, 0)).toBe(270_000);
    expect(retryDelay(2, retryDelaysMs, 1)).toBe(330_000);
  });
});
