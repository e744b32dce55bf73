import { createServerClock } from './serverClock.ts';

const trueStart = Date.parse('2026-11-29T12:00:00.000Z');

/** Simulates a device whose clock is wrong by `wrongMs`, and a server whose clock is right. */
function device(wrongMs: number, kept = new Map<string, string>()) {
  let real = trueStart;
  let deviceWrong = wrongMs;
  let asleep = 0;
  let refreshCount = 0;
  const clock = createServerClock({
    wall: () => real + deviceWrong,
    elapsed: () => real - trueStart - asleep,
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
    },
    refresh: () => void (refreshCount += 1),
  });
  return {
    clock,
    kept,
    refreshCount: () => refreshCount,
    real: () => real,
    error: () => clock.now() - real,
    pass: (ms: number) => void (real += ms),
    doze(ms: number) {
      real += ms;
      asleep += ms;
    },
    setClock: (ms: number) => void (deviceWrong += ms),
    /** Simulates an answer that took `tripMs` each way; the header has whole seconds only. */
    answer(tripMs = 20, headers: Record<string, string> = {}) {
      const sentAt = real - trueStart - asleep;
      real += tripMs;
      const date = new Date(Math.floor(real / 1_000) * 1_000).toUTCString();
      real += tripMs;
      clock.answered(new Headers({ Date: date, ...headers }), sentAt);
    },
  };
}

describe('the server’s clock', () => {
  it('corrects a device whose clock is 90 s fast, with the first answer', () => {
    const { answer, error } = device(90_000);
    expect(error()).toBe(90_000);
    answer();
    expect(Math.abs(error())).toBeLessThanOrEqual(1_040);
  });

  it('leaves a correct clock unchanged, whatever fraction of a second the header omits', () => {
    const { answer, error, pass } = device(0);
    for (let time = 0; time < 10; time += 1) {
      answer(150);
      pass(777);
    }
    expect(error()).toBe(0);
  });

  it('gets closer with each answer, and learns little from a slow one', () => {
    const { answer, error, pass } = device(-90_000);
    answer(5_000);
    const first = Math.abs(error());
    expect(first).toBeLessThanOrEqual(11_000);
    for (let time = 0; time < 10; time += 1) {
      answer(10);
      pass(137);
    }
    expect(Math.abs(error())).toBeLessThan(300);
  });

  it('is right when started offline, from what an earlier page load learned', () => {
    const before = device(90_000);
    before.answer();
    const { error } = device(90_000, before.kept);
    expect(Math.abs(error())).toBeLessThanOrEqual(1_040);
  });

  it('never trusts an answer that may come from a cache', () => {
    const { clock, error, real } = device(0);
    clock.answered(new Headers({ Date: new Date(real() - 3_600_000).toUTCString(), 'Cache-Control': 'max-age=60' }), 0);
    expect(error()).toBe(0);
  });

  it('runs on evenly when someone sets the device’s clock, and asks the server', () => {
    const { answer, error, setClock, refreshCount, pass } = device(0);
    answer();
    setClock(-3_600_000);
    expect(error()).toBe(0);
    setClock(2 * 3_600_000);
    expect(error()).toBe(0);
    expect(refreshCount()).toBe(1);
    answer();
    pass(60_000);
    expect(error()).toBe(0);
    expect(refreshCount()).toBe(1);
  });

  it('catches up after sleep: from the server, or from the device if no server answers', () => {
    const online = device(90_000);
    online.answer();
    online.doze(3_600_000);
    online.answer();
    expect(Math.abs(online.error())).toBeLessThanOrEqual(1_040);

    const offline = device(90_000);
    offline.answer();
    const before = offline.error();
    offline.doze(3_600_000);
    offline.clock.now();
    expect(offline.refreshCount()).toBe(1);
    offline.clock.unanswered();
    expect(offline.error()).toBe(before);
  });

  it('notifies those who wait for a time when it has moved', () => {
    const { answer, clock } = device(90_000);
    let moved = 0;
    const stop = clock.subscribe(() => (moved += 1));
    answer();
    answer();
    stop();
    expect(moved).toBe(1);
  });

  it('is certain once a server has answered, or cannot answer', async () => {
    const { answer, clock } = device(0);
    let certain = false;
    void clock.certain.then(() => (certain = true));
    await Promise.resolve();
    expect(certain).toBe(false);
    answer();
    await clock.certain;

    const offline = device(0);
    offline.clock.unanswered();
    await offline.clock.certain;
  });
});
