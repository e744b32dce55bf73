import { inTransaction } from '@nolo/kit/db';
import { newId } from '@nolo/kit/ids';
import type { Handler } from '@nolo/kit/jobs';
import { createRegistry } from '@nolo/kit/telemetry';
import { eventually } from '@nolo/testing';
import { db, emptyRedis, inMs, prefix, queueOf, redis, replica, rowOf, withoutSweep, working } from './jobScene.ts';

const { jest } = import.meta;

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
