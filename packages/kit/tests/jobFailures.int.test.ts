import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAppError } from '@nolo/kit/errors';
import { newId } from '@nolo/kit/ids';
import { ParkJobError } from '@nolo/kit/jobs';
import { eventually } from '@nolo/testing';
import { jobHoldMs, interruptibleQueue, unrepeatableQueue } from './jobQueues.ts';
import {
  database,
  db,
  emptyRedis,
  inMs,
  prefix,
  processes,
  proxy,
  queueOf,
  redis,
  redisUrl,
  replica,
  rowOf,
  working,
} from './jobScene.ts';

describe('Redis', () => {
  it('may lose everything', async () => {
    const queue = queueOf();
    const done: number[] = [];
    const jobs = working(queue, async ({ payload }) => void done.push(payload.n));
    const dueAt = inMs(1_000);
    const many = Array.from({ length: 100 }, (_, n) => ({ payload: { n }, dueAt }));
    await jobs.addAll(db, queue, many);
    await eventually(async () => (await redis.keys(`${prefix}:*`)).length > 100);
    expect(await emptyRedis()).toBeGreaterThan(100);
    await eventually(() => done.length === 100);
    await eventually(async () => (await db('jobs').first()) === undefined);
    expect(new Set(done).size).toBe(100);
  });

  it('may lose all jobs while a process that works on none runs alongside the worker', async () => {
    const queue = queueOf();
    const done: number[] = [];
    // The idle process starts first, so it would take every sweep without doing anything.
    replica().start();
    const jobs = working(queue, async ({ payload }) => void done.push(payload.n));
    await jobs.add(db, queue, { n: 1 }, { dueAt: inMs(1_000) });
    await eventually(async () => (await redis.keys(`${prefix}:*`)).some((key) => key.includes(queue.name)));
    await emptyRedis();
    await eventually(() => done.length === 1);
  });

  it('may be down while jobs are added and due', async () => {
    const queue = queueOf();
    const done: number[] = [];
    const jobs = working(queue, async ({ payload }) => void done.push(payload.n));
    await jobs.add(db, queue, { n: 0 });
    await eventually(() => done.length === 1);
    await proxy.cut();
    for (let n = 1; n <= 5; n += 1) await jobs.add(db, queue, { n });
    await proxy.mend();
    await eventually(() => done.length === 6);
    expect(done).toHaveLength(6);
    expect(new Set(done)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  });
});

describe('a failing job', () => {
  it('is retried later each time, is parked, and starts over by hand', async () => {
    const queue = queueOf({ attempts: 3, backOffMs: (attempts) => attempts * 150 });
    const begun: number[] = [];
    let broken = true;
    const jobs = working(queue, async () => {
      begun.push(performance.now());
      if (broken) throw createAppError('unavailable', 'platform_away', 'It is away.');
    });
    const id = await jobs.add(db, queue, { n: 1 });
    await eventually(async () => (await rowOf(id))?.state === 'parked');
    const [first = 0, second = 0, third = 0] = begun;
    expect(begun).toHaveLength(3);
    expect(second - first).toBeGreaterThanOrEqual(149);
    expect(third - second).toBeGreaterThanOrEqual(299);
    expect(await jobs.parked(queue, { limit: 10 })).toEqual([
      expect.objectContaining({ id, payload: { n: 1 }, attempts: 3, failure: 'platform_away' }),
    ]);
    expect(await jobs.parked(queue, { limit: 10, after: id })).toEqual([]);
    broken = false;
    expect(await jobs.retry(queue, id)).toBe(true);
    expect(await jobs.retry(queue, id)).toBe(false);
    await eventually(async () => (await rowOf(id)) === undefined);
  });

  it('waits as long as the error requires', async () => {
    const queue = queueOf({ backOffMs: () => 10 });
    const begun: number[] = [];
    const jobs = working(queue, async () => {
      begun.push(performance.now());
      if (begun.length === 1)
        throw createAppError('rate_limited', 'slow_down', 'Later.', undefined, { retryAfterMs: 700 });
    });
    await jobs.add(db, queue, { n: 1 });
    await eventually(() => begun.length === 2);
    expect((begun[1] ?? 0) - (begun[0] ?? 0)).toBeGreaterThanOrEqual(699);
  });

  it('is parked at once if retrying cannot help', async () => {
    const queue = queueOf();
    const jobs = working(queue, async () => {
      throw new ParkJobError('account_closed');
    });
    const id = await jobs.add(db, queue, { n: 1 });
    await eventually(async () => (await rowOf(id))?.state === 'parked');
    expect(await rowOf(id)).toMatchObject({ failure: 'account_closed', attempts: 1 });
    const unreadable = newId();
    await db('jobs').insert({ id: unreadable, queue: queue.name, payload: '{}', due_at: new Date() });
    await eventually(async () => (await rowOf(unreadable))?.state === 'parked');
    expect(await rowOf(unreadable)).toMatchObject({ failure: 'payload_invalid' });
  });

  it('is aborted when it takes too long', async () => {
    const queue = queueOf({ timeoutMs: 200, attempts: 1 });
    const jobs = working(
      queue,
      ({ signal }) =>
        new Promise((_, reject) => void signal.addEventListener('abort', () => reject(new Error('ended')))),
    );
    const id = await jobs.add(db, queue, { n: 1 });
    await eventually(async () => (await rowOf(id))?.state === 'parked');
    expect(await rowOf(id)).toMatchObject({ failure: 'timeout' });
  });
});

describe('a dead worker', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nolo-jobs-'));
  /** File whose creation releases the blocked process. */
  const letGo = join(folder, 'go');
  afterAll(() => rmSync(folder, { recursive: true }));

  const startProcess = () => {
    const child = fork(
      join(import.meta.dirname, 'jobWorkerProcess.ts'),
      [database.urls.chat, redisUrl, prefix, letGo],
      {
        execArgv: ['--no-warnings'],
      },
    );
    processes.push(child);
    return child;
  };

  it('loses its jobs to another worker, or to a person who reviews them', async () => {
    const child = startProcess();
    const jobs = replica({ holdMs: jobHoldMs });
    const ids = [await jobs.add(db, interruptibleQueue, { blocks: false }), await jobs.add(db, unrepeatableQueue, {})];
    const begun = new Set<string>();
    child.on('message', ({ begun: id }: { begun: string }) => void begun.add(id));
    await eventually(() => begun.size === 2);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const done: string[] = [];
    jobs.work(interruptibleQueue, async ({ id, attempt }) => void done.push(`${id} ${attempt}`));
    jobs.work(unrepeatableQueue, async ({ id }) => void done.push(id));
    jobs.start();
    await eventually(() => done.length > 0);
    expect(done).toEqual([`${ids[0]} 2`]);
    // The hold expires by itself, before or after that of the other.
    await eventually(async () => (await rowOf(ids[1] ?? ''))?.state === 'parked');
    expect(await rowOf(ids[1] ?? '')).toMatchObject({ failure: 'interrupted' });
  });

  it('cannot end what another worker has done meanwhile', async () => {
    const child = startProcess();
    const jobs = replica({ holdMs: jobHoldMs });
    const processMessages: { begun?: string; ended?: string }[] = [];
    child.on('message', (message: object) => void processMessages.push(message));
    const id = await jobs.add(db, interruptibleQueue, { blocks: true });
    await eventually(() => processMessages.some(({ begun }) => begun === id));
    jobs.work(interruptibleQueue, ({ finish }) =>
      db.transaction(async (trx) => {
        await trx('effects').insert({ job_id: id, done_by: 'another' });
        await finish(trx);
      }),
    );
    jobs.start();
    await eventually(async () => (await rowOf(id)) === undefined);
    writeFileSync(letGo, '');
    await eventually(() => processMessages.some(({ ended }) => ended === id));
    expect(await db('effects')).toEqual([{ job_id: id, done_by: 'another' }]);
  });
});

describe('a stopping worker', () => {
  it('lets jobs in progress end', async () => {
    const queue = queueOf();
    let begun = false;
    const end = Promise.withResolvers<void>();
    const jobs = working(queue, async () => {
      begun = true;
      await end.promise;
    });
    const id = await jobs.add(db, queue, { n: 1 });
    await eventually(() => begun);
    const stopped = jobs.stop();
    end.resolve();
    await stopped;
    expect(await rowOf(id)).toBeUndefined();
  });

  it('returns jobs that do not end in time, and another worker does them', async () => {
    const queue = queueOf();
    let begun = false;
    const jobs = working(
      queue,
      async () => {
        begun = true;
        await new Promise(() => undefined);
      },
      { graceMs: 100 },
    );
    const id = await jobs.add(db, queue, { n: 1 });
    await eventually(() => begun);
    await jobs.stop();
    expect(await rowOf(id)).toMatchObject({ state: 'waiting', attempts: 0, failure: 'stopping' });
    const done: number[] = [];
    working(queue, async ({ attempt }) => void done.push(attempt));
    await eventually(() => done.length > 0);
    expect(done).toEqual([1]);
  });
});
