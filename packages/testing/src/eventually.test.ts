import { eventually } from './eventually.ts';
import { createFakeClock } from './fakeClock.ts';
import { randomPhone } from './factories.ts';

describe('eventually', () => {
  it('retries after failures and returns the answer', async () => {
    let attempt = 0;
    const answer = await eventually(
      () => {
        attempt += 1;
        if (attempt === 1) throw new Error('not yet');
        return attempt === 2 ? undefined : attempt === 3 ? false : { attempt };
      },
      { intervalMs: 1 },
    );
    expect(answer).toEqual({ attempt: 4 });
  });

  it('fails with the last error', async () => {
    const never = () => expect(1).toBe(2);
    await expect(eventually(never, { timeoutMs: 20, intervalMs: 5 })).rejects.toThrow(
      /Condition not met within 20 ms: .*toBe/s,
    );
  });
});

describe('fakeClock', () => {
  it('stands still until it is advanced', () => {
    const clock = createFakeClock('2026-01-01T00:00:00Z');
    expect(clock.now()).toEqual(clock.now());
    clock.advance(1500);
    expect(clock.now().toISOString()).toBe('2026-01-01T00:00:01.500Z');
    clock.set('2027-01-01T00:00:00Z');
    expect(clock.now().getUTCFullYear()).toBe(2027);
  });
});

describe('randomPhone', () => {
  it('is a South African mobile number in E.164', () => {
    for (let index = 0; index < 50; index += 1) expect(randomPhone()).toMatch(/^\+2782\d{7}$/);
  });
});
