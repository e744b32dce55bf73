import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDb, inTransaction, type Knex } from '@nolo/kit/db';
import { createAppError } from '@nolo/kit/errors';
import { newId } from '@nolo/kit/ids';
import {
  createJobScheduler,
  createJobsTable,
  defineQueue,
  HoldJobError,
  ParkJobError,
  type Handler,
  type JobScheduler,
  type Queue,
} from '@nolo/kit/jobs';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis, type Redis } from '@nolo/kit/redis';
import { createRegistry } from '@nolo/kit/telemetry';
import { getCurrentSpan, startTrace, startTracing, withCurrentSpan } from '@nolo/kit/tracing';
import {
  createTestDatabase,
  eventually,
  readTestServerAddresses,
  createUniqueName,
  type TestDatabase,
} from '@nolo/testing';
import { z } from 'zod';
import { startTraceReceiver } from '../../../tests/support/stacks/traceReceiver.ts';
import { startCuttableProxy, type CuttableProxy } from './cuttableProxy.ts';
import { jobHoldMs, interruptibleQueue, unrepeatableQueue } from './jobQueues.ts';

const { jest } = import.meta;
const log = createLog({ service: 'test', level: 'silent' });
const { redisUrl } = readTestServerAddresses();
let prefix = '';
let database: TestDatabase<'chat'>;
let db: Knex;
let redis: Redis;
let proxy: CuttableProxy;
const replicas: JobScheduler[] = [];
const processes: ChildProcess[] = [];

const numbers = z.object({ n: z.number() });
/** Defines a queue with a unique name. */
const queueOf = (definition: Partial<Queue<{ n: number }>> = {}) =>
  defineQueue({ name: createUniqueName('queue'), payload: numbers, ...definition });

/** Creates a replica of the service. Replicas of one test share keys in Redis. */
function replica(options: Partial<Parameters<typeof createJobScheduler>[0]> = {}): JobScheduler {
  const made = createJobScheduler({
    db,
    service: 'test',
    redisUrl: proxy.url,
    redisPrefix: prefix,
    log,
    sweepEveryMs: 300,
    ...options,
  });
  replicas.push(made);
  return made;
}

/** Sweep interval beyond the duration of any test. */
const withoutSweep = { sweepEveryMs: 3_600_000 };

/** Starts a replica that works on one queue. */
function working<Payload>(queue: Queue<Payload>, handler: Handler<Payload>, options = {}): JobScheduler {
  const made = replica(options);
  made.work(queue, handler);
  made.start();
  return made;
}

const rowOf = async (id: string) =>
  (await db('jobs').where({ id }).first()) as { state: string; failure: string; attempts: number } | undefined;
const inMs = (ms: number) => new Date(Date.now() + ms);

async function emptyRedis(): Promise<number> {
  const keys = await redis.keys(`${prefix}:*`);
  return keys.length > 0 ? await redis.unlink(...keys) : 0;
}

beforeAll(async () => {
  database = await createTestDatabase(['chat']);
  db = createDb({ url: database.urls.chat, schema: 'chat' });
  await createJobsTable(db);
  await db.schema.createTable('effects', (table) => {
    table.uuid('job_id').notNullable();
    table.text('done_by').notNullable();
  });
  redis = await connectRedis({ url: redisUrl, log });
  proxy = await startCuttableProxy(redisUrl);
});
beforeEach(() => void (prefix = createUniqueName()));
afterEach(async () => {
  jest.restoreAllMocks();
  await proxy.mend();
  for (const process of processes.splice(0)) process.kill('SIGKILL');
  await Promise.all(replicas.splice(0).map((made) => made.stop()));
  await emptyRedis();
  await db('jobs').delete();
  await db('effects').delete();
});
afterAll(async () => {
  await db?.destroy();
  await database?.drop();
  await closeRedis(redis);
  await proxy.close();
});

describe('a job', () => {
  it('is done once its transaction commits, with its payload, and is gone afterwards', async () => {
    const queue = queueOf();
    const done: number[] = [];
    // Works without the sweep, which would pick up what the clock forgot.
    const jobs = working(queue, async ({ payload, attempt }) => void done.push(payload.n, attempt), withoutSweep);
    await inTransaction(db, (trx) => jobs.add(trx, queue, { n: 7 }));
    await eventually(() => done.length > 0);
    expect(done).toEqual([7, 1]);
    await eventually(async () => (await db('jobs').first()) === undefined);
  });

  it('does not exist if its transaction rolls back or its payload is invalid', async () => {
    const queue = queueOf();
    const jobs = replica();
    const undone = db.transaction(async (trx) => {
      await jobs.add(trx, queue, { n: 1 });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await expect(jobs.add(db, queue, { n: 'one' } as never)).rejects.toThrow('expected number');
    expect(await db('jobs').first()).toBeUndefined();
  });

  it('waits for its time, which can be moved, and can be cancelled', async () => {
    const queue = queueOf();
    const done: { n: number; at: number }[] = [];
    // Work starts only after all changes are stored, however long that takes.
    const jobs = replica(withoutSweep);
    const due = inMs(800);
    const later = await jobs.add(db, queue, { n: 1 }, { dueAt: inMs(60_000) });
    await jobs.add(db, queue, { n: 2 }, { dueAt: due });
    const never = await jobs.add(db, queue, { n: 3 }, { dueAt: due });
    expect(await jobs.move(db, queue, later, due)).toBe(true);
    expect(await jobs.cancel(db, queue, never)).toBe(true);
    expect(await jobs.cancel(db, queue, never)).toBe(false);
    expect(await jobs.move(db, queue, newId(), due)).toBe(false);
    jobs.work(queue, async ({ payload: { n } }) => void done.push({ n, at: Date.now() }));
    jobs.start();
    await eventually(() => done.length === 2);
    expect(new Set(done.map(({ n }) => n))).toEqual(new Set([1, 2]));
    for (const { at } of done) expect(at).toBeGreaterThanOrEqual(due.getTime());
    await eventually(async () => (await db('jobs').first()) === undefined);
  });

  it('keeps its worker while that renews its hold, whatever starts meanwhile', async () => {
    const queue = queueOf({ concurrency: 100 });
    const attempts: number[] = [];
    let cut = 0;
    // The worker renews its hold every 500 ms and is never treated as dead: nobody sweeps.
    const options = { holdMs: 1_500, sweepEveryMs: 120_000 };
    const jobs = working(
      queue,
      async ({ attempt, signal }) => {
        attempts.push(attempt);
        await db.raw('select 1');
        if (signal.aborted) cut += 1;
      },
      options,
    );
    await inTransaction(db, (trx) =>
      jobs.addAll(
        trx,
        queue,
        Array.from({ length: 3_000 }, (_none, n) => ({ payload: { n } })),
      ),
    );
    // A slow machine needs minutes for this many.
    await eventually(async () => (await db('jobs').first()) === undefined, { timeoutMs: 200_000 });
    expect(cut).toBe(0);
    expect(attempts).toEqual(Array.from({ length: 3_000 }, () => 1));
  });

  it('is renewed in the order in which it is ended, so that neither waits for the other', async () => {
    const queue = queueOf({ concurrency: 2 });
    const begun = new Set<string>();
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const handler = async ({ id }: { id: string }) => {
      begun.add(id);
      await over;
    };
    const jobs = working(queue, handler, { holdMs: 1_500, sweepEveryMs: 120_000 });
    for (let n = 1; n <= 2; n += 1) await jobs.add(db, queue, { n });
    await eventually(() => begun.size === 2);
    const [first = '', second = ''] = [...begun].sort();
    // The update moves this row behind the other; the planner reads a table known to be small in physical order.
    await db('jobs').where({ id: first }).update({ failure: null });
    await db.raw('analyze jobs');
    await db.transaction(async (trx) => {
      await trx('jobs').where({ id: first }).forUpdate();
      await eventually(async () => {
        const { rows } = (await db.raw(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )) as { rows: unknown[] };
        return rows.length > 0;
      });
      expect(await trx('jobs').where({ id: second }).forUpdate().noWait()).toHaveLength(1);
    });
    end();
    await eventually(async () => (await db('jobs').first()) === undefined);
  });

  it('is added once, however often that is requested', async () => {
    const queue = queueOf();
    const done: number[] = [];
    const jobs = working(queue, async ({ payload }) => void done.push(payload.n));
    const id = newId();
    const dueAt = inMs(300);
    for (let n = 1; n <= 3; n += 1) await jobs.add(db, queue, { n }, { id, dueAt });
    await eventually(() => done.length > 0);
    await eventually(async () => (await rowOf(id)) === undefined);
    expect(done).toEqual([1]);
  });

  it('ends with the transaction of its work', async () => {
    const queue = queueOf({ backOffMs: () => 50 });
    const metrics = createRegistry('test');
    const handler: Handler<{ n: number }> = async ({ id, attempt, finish }) =>
      db.transaction(async (trx) => {
        await trx('effects').insert({ job_id: id, done_by: `attempt ${attempt}` });
        await finish(trx);
        if (attempt === 1) throw new Error('after all not');
      });
    const jobs = working(queue, handler, { metrics });
    const id = await jobs.add(db, queue, { n: 1 });
    await eventually(async () => (await rowOf(id)) === undefined);
    expect(await db('effects')).toEqual([{ job_id: id, done_by: 'attempt 2' }]);
    const counted = async (result: string) =>
      (await metrics.metrics()).includes(
        `nolo_job_attempts_total{queue="${queue.name}",result="${result}",service="test"} 1`,
      );
    await eventually(() => counted('done'));
    expect(await counted('failed')).toBe(true);
    expect(await counted('lost')).toBe(false);
  });
});

describe('many jobs', () => {
  it('are shared by two replicas when due at once, each done once', async () => {
    const queue = queueOf();
    const done: string[][] = [[], []];
    const shared = Promise.withResolvers<void>();
    // Each waits until both have begun.
    const begin = async (mine: string[], id: string) => {
      mine.push(id);
      if (done.every(({ length }) => length > 0)) shared.resolve();
      await shared.promise;
    };
    const [jobs] = done.map((mine) => working(queue, ({ id }) => begin(mine, id)));
    const dueAt = inMs(1_000);
    const many = Array.from({ length: 2_000 }, (_, n) => ({ payload: { n }, dueAt }));
    const ids = await inTransaction(db, (trx) => jobs!.addAll(trx, queue, many));
    await eventually(async () => (await db('jobs').first()) === undefined);
    expect(done.flat().toSorted()).toEqual(ids.toSorted());
  });
});

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

describe('a recurring job', () => {
  it('exists once, however many replicas add it, and continues', async () => {
    const queue = queueOf();
    const begun: number[] = [];
    const repeatedAt = performance.now();
    const all = Array.from({ length: 2 }, () => working(queue, async () => void begun.push(performance.now())));
    await Promise.all(all.map((jobs) => jobs.repeat(queue, 'look', 400, { n: 1 })));
    await eventually(() => begun.length >= 5);
    const gaps = begun.slice(1).map((at, index) => at - (begun[index] ?? 0));
    // If one run is late, the gap to the next shrinks.
    expect(Math.max(...gaps)).toBeGreaterThan(200);
    // Runs are never early, however late the first was.
    expect((begun.at(-1) ?? 0) - repeatedAt).toBeGreaterThanOrEqual((begun.length - 1) * 400 - 1);
    expect(await db('jobs').where({ queue: queue.name })).toHaveLength(1);
    await emptyRedis();
    const soFar = begun.length;
    await eventually(() => begun.length > soFar + 1);
  });

  it('is never parked for failing', async () => {
    const queue = queueOf({ attempts: 1, backOffMs: () => 20 });
    let begun = 0;
    const jobs = working(queue, async () => {
      begun += 1;
      throw new Error('no');
    });
    await jobs.repeat(queue, 'look', 60_000, { n: 1 });
    await eventually(() => begun >= 3);
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

describe('a jumping clock', () => {
  const shift = (ms: number) => {
    const real = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => real() + ms);
  };

  it('runs nothing before its time when it jumps ahead', async () => {
    const queue = queueOf();
    const done: number[] = [];
    const soon = performance.now() + 2_000;
    let doneAt = 0;
    const jobs = working(queue, async ({ payload: { n } }) => {
      done.push(n);
      if (n === 1) doneAt = performance.now();
    });
    await jobs.add(db, queue, { n: 1 }, { dueAt: inMs(2_000) });
    shift(3_600_000);
    await jobs.add(db, queue, { n: 2 });
    await eventually(() => done.length === 2);
    expect(doneAt).toBeGreaterThanOrEqual(soon - 50);
  });

  it('delays nothing when it jumps back', async () => {
    const queue = queueOf();
    const done: number[] = [];
    const jobs = working(queue, async ({ payload }) => void done.push(payload.n));
    await jobs.add(db, queue, { n: 1 }, { dueAt: inMs(700) });
    await eventually(async () => (await redis.keys(`${prefix}:*`)).length > 0);
    shift(-3_600_000);
    await eventually(() => done.length === 1);
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

describe('monitoring of a queue', () => {
  it('shows what is waiting, late, in progress and parked', async () => {
    const queue = queueOf({ attempts: 1, concurrency: 1 });
    const metrics = createRegistry('test');
    const hold = Promise.withResolvers<void>();
    const jobs = working(queue, ({ payload }) => (payload.n === 1 ? hold.promise : Promise.reject(new Error('no'))), {
      metrics,
    });
    const parked = await jobs.add(db, queue, { n: 2 });
    await eventually(async () => (await rowOf(parked))?.state === 'parked');
    const active = await jobs.add(db, queue, { n: 1 });
    await eventually(async () => (await rowOf(active))?.state === 'active');
    await jobs.add(db, queue, { n: 3 }, { dueAt: inMs(-100_000) });
    await jobs.add(db, queue, { n: 4 }, { dueAt: inMs(100_000) });
    const shown = (await metrics.metrics()).split('\n').filter((text) => text.includes(queue.name));
    const valueOf = (name: string, labels: string) =>
      Number(
        shown
          .find((text) => text.startsWith(`${name}{`) && text.includes(labels))
          ?.split(' ')
          .at(-1),
      );
    for (const state of ['waiting', 'late', 'active', 'parked'])
      expect([state, valueOf('nolo_jobs', `state="${state}"`)]).toEqual([state, 1]);
    expect(valueOf('nolo_jobs_oldest_seconds', 'state="late"')).toBeGreaterThan(99);
    expect(valueOf('nolo_job_attempts_total', 'result="parked"')).toBe(1);
    expect(valueOf('nolo_job_lateness_seconds_count', queue.name)).toBe(2);
    // A process that works on no queue also reports them, so that a queue without a worker is noticed.
    const elsewhere = createRegistry('test');
    replica({ metrics: elsewhere });
    expect(await elsewhere.metrics()).toMatch(new RegExp(`nolo_jobs{[^}]*queue="${queue.name}",state="late"[^}]*} 1`));
    hold.resolve();
    await eventually(async () => (await rowOf(active)) === undefined);
  });

  it('shows what is on hold, and why, until it continues', async () => {
    const queue = queueOf();
    const metrics = createRegistry('test');
    const state = { isOnHold: true };
    const handler: Handler<{ n: number }> = async () => {
      if (state.isOnHold) throw new HoldJobError('plan_unknown', 30_000);
    };
    const jobs = working(queue, handler, { metrics });
    const id = await jobs.add(db, queue, { n: 1 });
    await eventually(async () => (await rowOf(id))?.failure === 'held:plan_unknown');
    expect(await rowOf(id)).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(await metrics.metrics()).toMatch(
      new RegExp(`nolo_jobs_held{[^}]*queue="${queue.name}",code="plan_unknown"[^}]*} 1`),
    );
    state.isOnHold = false;
    await jobs.move(db, queue, id, inMs(0));
    await eventually(async () => (await rowOf(id)) === undefined);
    const elsewhere = createRegistry('test');
    replica({ metrics: elsewhere });
    expect(await elsewhere.metrics()).not.toContain(`nolo_jobs_held{queue="${queue.name}"`);
  });

  it('follows a trace from the request to the work', async () => {
    const receiver = await startTraceReceiver();
    const config = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: 1 };
    const stopTracing = await startTracing({ service: 'test', config, log });
    try {
      const queue = queueOf();
      const traces: (string | undefined)[] = [];
      const jobs = working(queue, async () => void traces.push(getCurrentSpan()?.context.traceId));
      const span = startTrace('request');
      await withCurrentSpan(span, () => jobs.add(db, queue, { n: 1 }));
      span?.end();
      await jobs.add(db, queue, { n: 2 });
      await eventually(() => traces.length === 2);
      expect(new Set(traces)).toEqual(new Set([span?.context.traceId, undefined]));
    } finally {
      await stopTracing();
      await receiver.stop();
    }
  });
});
