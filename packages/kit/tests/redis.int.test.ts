import { randomUUID } from 'node:crypto';
import { createConnectionLeaseReader, createConnectionLeases } from '@nolo/kit/delivery';
import { createLog } from '@nolo/kit/log';
import { createLimiter } from '@nolo/kit/rateLimit';
import { toCacheError, closeRedis, connectRedis, type Redis } from '@nolo/kit/redis';
import { eventually, createFakeClock, readTestServerAddresses, createUniqueName } from '@nolo/testing';
import { startCuttableProxy, type CuttableProxy } from './cuttableProxy.ts';

const { jest } = import.meta;
const log = createLog({ service: 'test', level: 'silent' });
const prefix = createUniqueName();
let proxy: CuttableProxy;
let redis: Redis;
/** Bypasses the cuttable connection, to inspect Redis during an outage. */
let direct: Redis;

beforeAll(async () => {
  const { redisUrl } = readTestServerAddresses();
  proxy = await startCuttableProxy(redisUrl);
  redis = await connectRedis({ url: proxy.url, log, prefix });
  direct = await connectRedis({ url: redisUrl, log, prefix });
});
afterAll(async () => {
  const keys = await direct.keys(`${prefix}:*`);
  if (keys.length > 0) await direct.unlink(...keys.map((key) => key.slice(prefix.length + 1)));
  await Promise.all([closeRedis(redis), closeRedis(direct)]);
  await proxy.close();
});
afterEach(async () => {
  await proxy.mend();
  await eventually(() => redis.ping());
});

/**
 * Error with which ioredis rejects at once what it would have to queue; a request that waits until its timeout says
 * "timed out".
 */
const notEvenSent = { message: expect.stringContaining("isn't writeable") };

describe('connectRedis', () => {
  it('fails at once while Redis is down, and reconnects by itself', async () => {
    await redis.set('a', '1');
    await proxy.cut();
    await eventually(() => redis.status !== 'ready');
    for (let call = 0; call < 20; call += 1) {
      const error = await redis.get('a').catch((reason: unknown) => reason);
      expect(error).toMatchObject(notEvenSent);
      expect(toCacheError(error)).toMatchObject({ code: 'cache_unavailable' });
    }
    await proxy.mend();
    expect(await eventually(() => redis.get('a'))).toBe('1');
  });

  it('does not wait long for a frozen Redis', async () => {
    proxy.freeze();
    const error = await redis.get('a').catch((reason: unknown) => reason);
    expect(toCacheError(error)).toMatchObject({ code: 'cache_unavailable' });
    // Redis is treated as down after a single timeout, until it answers again.
    await eventually(() => redis.status !== 'ready');
    for (let call = 0; call < 20; call += 1) await expect(redis.get('a')).rejects.toMatchObject(notEvenSent);
    await proxy.mend();
    expect(await eventually(() => redis.get('a'))).toBe('1');
  });

  it('names the variable if Redis never comes up', async () => {
    await expect(connectRedis({ url: 'redis://127.0.0.1:1', log, connectTimeoutMs: 300 })).rejects.toThrow('REDIS_URL');
  });
});

describe('createLimiter', () => {
  const table = {
    talk: { points: 2, durationSeconds: 60 },
    stretch: { points: 10, durationSeconds: 60 },
    guess: { points: 2, durationSeconds: 60, failClosed: true },
    breathe: { points: 10, durationSeconds: 60, chunk: 4 },
    blink: { points: 4, durationSeconds: 1, chunk: 4 },
    check: { points: 2, durationSeconds: 60, failClosed: true, chunk: 4 },
    entriesPerAddress: { points: 2, durationSeconds: 60 },
    make: { points: 2, durationSeconds: 60, quota: true },
  };
  /** Counts how many simultaneous attempts are within the limit. */
  const passed = async (attempts: readonly Promise<void>[]) =>
    (await Promise.allSettled(attempts)).filter(({ status }) => status === 'fulfilled').length;

  it('counts per key, and reports when to retry', async () => {
    const limiter = createLimiter({ redis, table });
    await limiter.consume('talk', 'ann');
    await limiter.consume('talk', 'ann');
    await expect(limiter.consume('talk', 'ann')).rejects.toMatchObject({ kind: 'rate_limited', code: 'rate_limited' });
    await limiter.consume('talk', 'ben');
    const error = await limiter.consume('talk', 'ann').catch((reason: unknown) => reason as { retryAfterMs: number });
    expect(error?.retryAfterMs).toBeGreaterThan(50_000);
  });

  it('counts the cost of each attempt', async () => {
    const limiter = createLimiter({ redis, table });
    await limiter.consume('stretch', 'lea', 7);
    await limiter.consume('stretch', 'lea', 9);
    await expect(limiter.consume('stretch', 'lea', 1)).rejects.toMatchObject({ kind: 'rate_limited' });
    await limiter.consume('stretch', 'mia', 10);
    await expect(limiter.consume('stretch', 'mia', 1)).rejects.toMatchObject({ kind: 'rate_limited' });
  });

  it('is shared by all who use the same Redis', async () => {
    const [one, two] = [createLimiter({ redis, table }), createLimiter({ redis: direct, table })];
    await one.consume('talk', 'cem');
    await two.consume('talk', 'cem');
    await expect(one.consume('talk', 'cem')).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('gives back points taken for nothing, so that a refusal costs no quota', async () => {
    const limiter = createLimiter({ redis, table });
    const attempts = Array.from({ length: 6 }, () => limiter.consume('make', 'eva'));
    expect(await passed(attempts)).toBe(2);
    await limiter.giveBack('make', 'eva');
    await limiter.giveBack('make', 'eva');
    expect(await passed(Array.from({ length: 6 }, () => limiter.consume('make', 'eva')))).toBe(2);
  });

  it('counts IPv6 addresses per /64, and all of a /48 together', async () => {
    const limiter = createLimiter({ redis, table });
    const addresses = Array.from({ length: 20 }, (_, index) => `2001:db8:7:${index.toString(16)}::1`);
    const attempts = addresses.flatMap((address) => [1, 2, 3].map(() => limiter.consume('entriesPerAddress', address)));
    // Two from each /64, and 16 times as many from the /48 that they share.
    expect(await passed(attempts)).toBe(32);
    expect(await limiter.isSpent('entriesPerAddress', '2001:db8:7:ffff::1')).toBe(true);
    await limiter.consume('entriesPerAddress', '2001:db8:8::1');
    expect(await passed([1, 2, 3].map(() => limiter.consume('entriesPerAddress', '192.0.2.7')))).toBe(2);
    expect(await limiter.isSpent('entriesPerAddress', '192.0.2.7')).toBe(true);
    expect(await limiter.isSpent('entriesPerAddress', '192.0.2.8')).toBe(false);
  });

  it('never exceeds the limit when processes take points in batches, and lets one alone take them all', async () => {
    const limiters = [createLimiter({ redis, table }), createLimiter({ redis: direct, table })];
    const everybody = Array.from({ length: 20 }, (_, index) => limiters[index % 2]!.consume('breathe', 'fay'));
    expect(await passed(everybody)).toBe(10);
    await expect(limiters[0]!.consume('breathe', 'fay')).rejects.toMatchObject({ code: 'rate_limited' });
    const alone = Array.from({ length: 20 }, () => limiters[0]!.consume('breathe', 'gus'));
    expect(await passed(alone)).toBe(10);
  });

  it('asks Redis once for several points', async () => {
    const limiter = createLimiter({ redis, table });
    for (let times = 0; times < 4; times += 1) await limiter.consume('breathe', 'hal');
    expect(await direct.get('limit:breathe:hal')).toBe('4');
    await limiter.consume('breathe', 'hal');
    expect(await direct.get('limit:breathe:hal')).toBe('8');
  });

  it('carries no leftover points into the next window', async () => {
    const limiter = createLimiter({ redis, table });
    await limiter.consume('blink', 'ida');
    await eventually(async () => (await direct.exists('limit:blink:ida')) === 0);
    await limiter.consume('blink', 'ida');
    expect(await direct.get('limit:blink:ida')).toBe('4');
  });

  it('takes points one by one if it fails closed', async () => {
    const limiter = createLimiter({ redis, table });
    await limiter.consume('check', 'jon');
    expect(await direct.get('limit:check:jon')).toBe('1');
  });

  it('counts locally while Redis is down, but refuses where guessing must be impossible', async () => {
    const limiter = createLimiter({ redis, table });
    await proxy.cut();
    await eventually(() => redis.status !== 'ready');
    await expect(limiter.consume('guess', 'eve')).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'limits_unavailable',
    });
    await limiter.consume('talk', 'eve');
    await limiter.consume('talk', 'eve');
    await expect(limiter.consume('talk', 'eve')).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await passed(Array.from({ length: 20 }, () => limiter.consume('breathe', 'eve')))).toBe(10);
  });
});

describe('leases', () => {
  const toLastCounts = (...userIds: string[]) => new Map(userIds.map((userId) => [userId, 0]));

  it('show who is connected where, from the first socket to the last', async () => {
    const leases = createConnectionLeases({ redis, replicaId: 'g1', log });
    const reader = createConnectionLeaseReader({ redis });
    expect(await leases.add('ann')).toBe(true);
    expect(await leases.add('ann')).toBe(false);
    expect(await reader.replicasOf(toLastCounts('ben', 'ann'))).toEqual(new Map([['ann', ['g1']]]));
    const other = createConnectionLeases({ redis, replicaId: 'g0', log });
    await other.add('ann');
    await other.add('ben');
    const both = await reader.replicasOf(toLastCounts('ben', 'nobody', 'ann'));
    expect(both).toEqual(
      new Map([
        ['ann', expect.arrayContaining(['g0', 'g1'])],
        ['ben', ['g0']],
      ]),
    );
    await other.stop();
    expect(await leases.remove('ann')).toBe(false);
    expect(await reader.online(['ann'])).toEqual(new Set(['ann']));
    expect(await leases.remove('ann')).toBe(true);
    expect(await reader.online(['ann'])).toEqual(new Set());
    await leases.stop();
  });

  it('expire with their gateway, and are found by exactly one sweep', async () => {
    const clock = createFakeClock();
    const dead = createConnectionLeases({ redis, replicaId: 'dead', clock, log });
    const alive = createConnectionLeases({ redis, replicaId: 'alive', clock, log });
    await dead.add('cem');
    await dead.add('dan');
    clock.advance(25_000);
    await alive.add('dan');
    clock.advance(6000);
    const reader = createConnectionLeaseReader({ redis, clock });
    expect(await reader.online(['cem', 'dan'])).toEqual(new Set(['dan']));
    const sweeps = await Promise.all([
      reader.takeExpired(),
      createConnectionLeaseReader({ redis: direct, clock }).takeExpired(),
    ]);
    expect(sweeps.flat().sort()).toEqual(['cem', 'dan']);
    expect(await reader.takeExpired()).toEqual([]);
    expect(await reader.online(['dan'])).toEqual(new Set(['dan']));
    await Promise.all([dead.stop(), alive.stop()]);
  });

  it('expire by the clock of Redis, however wrong machine clocks are', async () => {
    const machine = jest.spyOn(Date, 'now');
    const leases = createConnectionLeases({ redis, replicaId: 'g3', log });
    machine.mockReturnValue(0);
    await leases.add('fay');
    machine.mockReturnValue(Date.parse('2099-01-01'));
    const reader = createConnectionLeaseReader({ redis });
    expect(await reader.online(['fay'])).toEqual(new Set(['fay']));
    expect(await reader.takeExpired()).not.toContain('fay');
    machine.mockRestore();
    const [seconds] = await redis.time();
    const expiry = Number(await redis.zscore('lease:fay', 'g3'));
    expect(expiry / 1000 - Number(seconds)).toBeGreaterThan(25);
    expect(expiry / 1000 - Number(seconds)).toBeLessThan(32);
    await leases.stop();
  });

  describe('missed frames', () => {
    const ids = ['gil', 'hal', 'ida'];
    /** Starts a gateway with some users, a relay, and a record of the frames missed. */
    async function startGateway() {
      const clock = createFakeClock();
      const name = randomUUID();
      const leases = createConnectionLeases({ redis, replicaId: name, clock, log });
      const reader = createConnectionLeaseReader({ redis, clock });
      const missed: string[] = [];
      leases.onMissed((userIds) => missed.push(...userIds));
      const people = ids.map((id) => `${id} ${name}`);
      for (const person of people) await leases.add(person);
      const handOn = async (frames: Record<string, number>) => {
        const found = await reader.replicasOf(new Map(Object.entries(frames)));
        return [...found.keys()];
      };
      const missedNow = async () => {
        await leases.refresh();
        return missed.splice(0).sort();
      };
      return { clock, leases, people, handOn, missedNow };
    }

    it('are noticed if Redis lost the leases of their recipients', async () => {
      const { leases, people, handOn, missedNow } = await startGateway();
      const [gil = '', hal = ''] = people;
      expect(await missedNow()).toEqual([]);
      await redis.del(`lease:${gil}`, `lease:${hal}`);
      expect(await handOn({ [gil]: 1 })).toEqual([]);
      expect(await missedNow()).toEqual([gil, hal]);
      expect(await handOn({ [gil]: 0 })).toEqual([gil]);
      expect(await missedNow()).toEqual([]);
      await leases.stop();
    });

    it('are noticed if leases lapsed for a while because the clock of Redis jumped', async () => {
      const { clock, leases, people, handOn, missedNow } = await startGateway();
      clock.advance(20_000);
      expect(await missedNow()).toEqual([]);
      clock.advance(40_000);
      expect(await handOn({ [people[0] ?? '']: 1 })).toEqual([]);
      expect(await missedNow()).toEqual(people);
      clock.advance(-40_000);
      expect(await missedNow()).toEqual([]);
      await leases.stop();
    });

    it('are noticed if fewer frames arrived than were sent, once those in transit had time to arrive', async () => {
      const { leases, people, handOn, missedNow } = await startGateway();
      const [gil = '', hal = '', ida = ''] = people;
      await handOn({ [gil]: 2, [hal]: 1, [ida]: 0 });
      leases.received([gil]);
      expect(await missedNow()).toEqual([]);
      leases.received([hal]);
      expect(await missedNow()).toEqual([gil]);
      // Counting starts again for both.
      await handOn({ [gil]: 1, [hal]: 1 });
      leases.received([gil, hal]);
      expect(await missedNow()).toEqual([]);
      expect(await missedNow()).toEqual([]);
      // An extra frame does not hide a later loss.
      leases.received([gil]);
      await missedNow();
      await handOn({ [gil]: 1 });
      await missedNow();
      expect(await missedNow()).toEqual([gil]);
      await leases.stop();
    });

    it('are noticed at one gateway while another got everything', async () => {
      const { clock, leases, people, handOn, missedNow } = await startGateway();
      const [gil = ''] = people;
      const other = createConnectionLeases({ redis, replicaId: randomUUID(), clock, log });
      const missedThere: string[] = [];
      other.onMissed((userIds) => missedThere.push(...userIds));
      // Frames from before this gateway had the user do not count as missed.
      await handOn({ [gil]: 3 });
      leases.received([gil, gil, gil]);
      await other.add(gil);
      await handOn({ [gil]: 1 });
      other.received([gil]);
      for (const seen of [[], [gil]]) {
        expect(await missedNow()).toEqual(seen);
        await other.refresh();
      }
      expect(missedThere).toEqual([]);
      await Promise.all([leases.stop(), other.stop()]);
    });
  });

  it('do not need Redis when a socket opens', async () => {
    const leases = createConnectionLeases({ redis, replicaId: 'g2', log });
    await proxy.cut();
    await eventually(() => redis.status !== 'ready');
    expect(await leases.add('eve')).toBe(true);
    await proxy.mend();
    await eventually(() => redis.ping());
    await leases.refresh();
    expect(await createConnectionLeaseReader({ redis }).online(['eve'])).toEqual(new Set(['eve']));
    await leases.stop();
    expect(await createConnectionLeaseReader({ redis }).online(['eve'])).toEqual(new Set());
  });
});
