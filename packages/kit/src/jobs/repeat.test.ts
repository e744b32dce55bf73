import type { Redis } from 'ioredis';
import { createLog } from '../telemetry/log.ts';
import { createTaskRepeater, type TaskRepeater, type PeriodicTask } from './repeat.ts';

const { jest } = import.meta;
const log = createLog({ service: 'test', level: 'silent' });
const clock = { now: () => new Date() };
let keys: Map<string, number>;
let away = false;
const started: TaskRepeater[] = [];

/** Subset of Redis that turn-taking needs. */
const redis = {
  async set(key: string, _value: string, _px: string, ms: number) {
    if (away) throw new Error('Redis is away');
    if ((keys.get(key) ?? 0) > Date.now()) return null;
    keys.set(key, Date.now() + ms);
    return 'OK';
  },
} as unknown as Redis;

function replica(task: Omit<PeriodicTask, 'name'>) {
  const repeats = createTaskRepeater({ redis, service: 'test', clock, log });
  started.push(repeats);
  return repeats.add({ name: 'a task', ...task });
}

beforeEach(() => {
  jest.useFakeTimers();
  keys = new Map();
  away = false;
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((repeats) => repeats.stop()));
  jest.useRealTimers();
});

describe('a task', () => {
  it('runs on one of three replicas at a time', async () => {
    const run = jest.fn(async () => undefined);
    for (let count = 0; count < 3; count += 1) {
      replica({ everyMs: 10_000, run });
      await jest.advanceTimersByTimeAsync(2_000);
    }
    await jest.advanceTimersByTimeAsync(100_000);
    expect(run.mock.calls.length).toBeGreaterThanOrEqual(9);
    expect(run.mock.calls.length).toBeLessThanOrEqual(11);
  });

  it('runs on every replica while Redis is down, and when it is local to each', async () => {
    const run = jest.fn(async () => undefined);
    replica({ everyMs: 10_000, run });
    replica({ everyMs: 10_000, run });
    away = true;
    await jest.advanceTimersByTimeAsync(10_000);
    expect(run).toHaveBeenCalledTimes(2);
    away = false;
    const everywhere = jest.fn(async () => undefined);
    replica({ everyMs: 10_000, everywhere: true, run: everywhere });
    replica({ everyMs: 10_000, everywhere: true, run: everywhere });
    await jest.advanceTimersByTimeAsync(10_000);
    expect(everywhere).toHaveBeenCalledTimes(2);
  });

  it('runs less often while there is nothing to do, and at its normal pace once there is', async () => {
    let found: 'nothing' | undefined = 'nothing';
    const run = jest.fn(async () => found);
    replica({ everyMs: 5_000, quietMs: 15_000, run });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(run).toHaveBeenCalledTimes(4);
    found = undefined;
    await jest.advanceTimersByTimeAsync(15_000);
    run.mockClear();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(run).toHaveBeenCalledTimes(12);
  });

  it('returns to its normal pace as soon as it is woken', async () => {
    const run = jest.fn(async () => 'nothing' as const);
    const repeating = replica({ everyMs: 5_000, quietMs: 60_000, run });
    await jest.advanceTimersByTimeAsync(10_000);
    expect(run).toHaveBeenCalledTimes(1);
    repeating.endQuietPeriod();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('shares its polls with other quiet tasks of the process, never later than it must', async () => {
    const repeats = createTaskRepeater({ redis, service: 'test', clock, log });
    started.push(repeats);
    const runTimes = new Map<string, number[]>();
    for (const [name, everyMs] of [
      ['one', 5_000],
      ['two', 7_000],
      ['three', 11_000],
    ] as const) {
      const seen: number[] = [];
      runTimes.set(name, seen);
      repeats.add({
        name,
        everyMs,
        quietMs: 30_000,
        async run() {
          seen.push(Date.now());
          return 'nothing';
        },
      });
    }
    await jest.advanceTimersByTimeAsync(300_000);
    const times = [...runTimes.values()];
    for (const seen of times) {
      const pauses = seen.slice(1).map((at, index) => at - (seen[index] ?? 0));
      expect(Math.max(...pauses)).toBeLessThanOrEqual(30_000);
      expect(seen.slice(-5)).toEqual(times[0]?.slice(-5));
    }
  });

  it('runs when the next item is due, and then when the one after it is due', async () => {
    const due = [13_000, 13_500, 17_250, 90_000].map((ms) => new Date(Date.now() + ms));
    const begun = Date.now();
    const late: number[] = [];
    replica({
      everyMs: 10_000,
      async run() {
        for (let next = due[0]; next && next.getTime() <= Date.now(); next = due[0]) {
          late.push(Date.now() - next.getTime());
          due.shift();
        }
        return due[0];
      },
    });
    await jest.advanceTimersByTimeAsync(20_000 - (Date.now() - begun));
    expect(late).toEqual([0, 0, 0]);
    await jest.advanceTimersByTimeAsync(70_000);
    expect(late).toEqual([0, 0, 0, 0]);
  });

  it('runs when asked, and once more if it was already running', async () => {
    const ends: (() => void)[] = [];
    const run = jest.fn(() => new Promise<undefined>((resolve) => void ends.push(() => resolve(undefined))));
    const repeating = replica({ everyMs: 60_000, run });
    repeating.at(new Date(Date.now() + 3_000));
    repeating.at(new Date(Date.now() + 1_000));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(run).toHaveBeenCalledTimes(1);
    repeating.at(new Date());
    await jest.advanceTimersByTimeAsync(10);
    expect(run).toHaveBeenCalledTimes(1);
    ends.shift()?.();
    await jest.advanceTimersByTimeAsync(10);
    expect(run).toHaveBeenCalledTimes(2);
    ends.shift()?.();
  });

  it('backs off while the same item stays due, and continues after a failure', async () => {
    let failures = 0;
    const run = jest.fn(async () => {
      if (run.mock.calls.length === 3) {
        failures += 1;
        throw new Error('no');
      }
      return new Date(0);
    });
    replica({ everyMs: 5_000, run });
    await jest.advanceTimersByTimeAsync(20_000);
    expect(failures).toBe(1);
    expect(run.mock.calls.length).toBeGreaterThan(8);
    expect(run.mock.calls.length).toBeLessThan(20);
  });
});
