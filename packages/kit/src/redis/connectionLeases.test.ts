import type { Redis } from 'ioredis';
import { createConnectionLeases } from './connectionLeases.ts';
import { createLog } from '../telemetry/log.ts';

const { jest } = import.meta;
const log = createLog({ service: 'test', level: 'silent' });

/** Simulates a Redis whose answers the test controls. */
function slowRedis() {
  const waiting: ((error: Error | null) => void)[] = [];
  const run = () => new Promise((resolve, reject) => waiting.push((error) => (error ? reject(error) : resolve([-1]))));
  const answer = async (error: Error | null = null) => {
    waiting.shift()?.(error);
    await new Promise(setImmediate);
  };
  return { redis: { eval: run } as unknown as Redis, answer };
}

const start = Date.parse('2026-11-20T12:00:00Z');

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'], now: start });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('leases', () => {
  it('are acquired before a second socket of the same person relies on them', async () => {
    const { redis, answer } = slowRedis();
    const leases = createConnectionLeases({ redis, replicaId: 'g1', log });
    const added: string[] = [];
    void leases.add('ann').then((first) => added.push(`first ${first}`));
    void leases.add('ann').then((first) => added.push(`second ${first}`));
    await new Promise(setImmediate);
    expect(added).toEqual([]);
    await answer();
    expect(added.sort()).toEqual(['first true', 'second false']);
  });
});
