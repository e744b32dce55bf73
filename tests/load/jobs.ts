/** Measures the lateness of jobs, and many due at once, against bare BullMQ with an equally slow fake platform. */
import { mkdtemp } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDb, provisionDatabase, type Knex } from '@nolo/kit/db';
import { createJobScheduler, createJobsTable, defineQueue } from '@nolo/kit/jobs';
import { createLog } from '@nolo/kit/log';
import { Queue as BullQueue, Worker as BullWorker } from 'bullmq';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { deleteBackingData } from '../../scripts/backingServices.ts';
import { createConsoleProgress } from '../../scripts/progress.ts';
import { startBackingServices } from '../../scripts/stack.ts';
import { describeConditions, readCpuMs, median, printTable, quantile, printLine } from './support/measure.ts';

const pairs = Number(process.argv[2] ?? 5);
/** Jobs due one after another, and the interval between them. */
const spaced = 300;
const spacingMs = 10;
const atOnce = 2_000;
/** Milliseconds that the fake platform takes per call, and the maximum concurrent calls. */
const platformMs = 20;
const concurrency = 200;
/** Milliseconds between scheduling and due time. */
const aheadMs = 3_000;

interface Side {
  /** Schedules jobs for these times, in milliseconds since 1970; each call records its time. */
  schedule(times: readonly number[]): Promise<void>;
  /** Times of the calls: due, begun and ended. */
  calls: { due: number; begun: number; ended: number }[];
  close(): Promise<void>;
}

async function publish(calls: Side['calls'], due: number): Promise<void> {
  const begun = Date.now();
  await sleep(platformMs);
  calls.push({ due, begun, ended: Date.now() });
}

function bareSide(redisUrl: string): Side {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const queue = new BullQueue<{ due: number }>('bare', { connection });
  const calls: Side['calls'] = [];
  const options = { connection, concurrency, removeOnComplete: { count: 0 } };
  const worker = new BullWorker<{ due: number }>('bare', (job) => publish(calls, job.data.due), options);
  return {
    calls,
    async schedule(times) {
      await queue.addBulk(times.map((due) => ({ name: 'bare', data: { due }, opts: { delay: due - Date.now() } })));
    },
    async close() {
      await worker.close();
      await queue.close();
      connection.disconnect();
    },
  };
}

function ourSide(db: Knex, redisUrl: string): Side {
  const queue = defineQueue({ name: 'ours', payload: z.object({ due: z.number() }), concurrency });
  const calls: Side['calls'] = [];
  const log = createLog({ service: 'load', level: 'warn' });
  const jobs = createJobScheduler({ db, service: 'load', redisUrl, log });
  jobs.work(queue, ({ payload }) => publish(calls, payload.due));
  jobs.start();
  return {
    calls,
    async schedule(times) {
      const due = times.map((time) => ({ payload: { due: time }, dueAt: new Date(time) }));
      await db.transaction((trx) => jobs.addAll(trx, queue, due));
    },
    close: () => jobs.stop(),
  };
}

async function round(side: Side, times: (from: number) => number[]): Promise<Side['calls']> {
  side.calls.length = 0;
  const due = times(Date.now() + aheadMs);
  await side.schedule(due);
  const last = Math.max(...due);
  while (side.calls.length < due.length && Date.now() < last + 30_000) await sleep(20);
  if (side.calls.length !== due.length) throw new Error(`${side.calls.length} of ${due.length} jobs were completed.`);
  return side.calls;
}

const spread = (from: number) => Array.from({ length: spaced }, (_, index) => from + index * spacingMs);
const together = (from: number) => Array.from({ length: atOnce }, () => from);
/** Minimum time of a platform with this concurrency for all calls. */
const ownMs = Math.ceil(atOnce / concurrency) * platformMs;

async function measure(sides: Record<'bare' | 'ours', Side>): Promise<void> {
  const rows: (string | number)[][] = [];
  const over: Record<keyof typeof sides, number[]> = { bare: [], ours: [] };
  for (let pair = 0; pair <= pairs; pair += 1) {
    for (const [name, side] of Object.entries(sides) as [keyof typeof sides, Side][]) {
      const late = (await round(side, spread)).map(({ due, begun }) => begun - due);
      const before = readCpuMs(process.pid);
      const calls = await round(side, together);
      const cpu = (readCpuMs(process.pid) - before) / atOnce;
      const all = Math.max(...calls.map(({ ended }) => ended)) - (calls[0]?.due ?? 0) - ownMs;
      // The first run of each warms up.
      if (pair === 0) continue;
      over[name].push(all);
      rows.push([`${pair} ${name}`, quantile(late, 0.5), quantile(late, 0.99), all, cpu]);
    }
  }
  printTable(
    ['', 'late p50, ms', 'late p99, ms', `${atOnce} at once, ms over the platform's own`, 'CPU ms per job, client'],
    rows,
  );
  printLine(
    `${atOnce} at once: median ${median(over.ours)} ms over the platform's own ${ownMs} ms (${platformMs} ms each, ${concurrency} at a time), bare BullMQ ${median(over.bare)} ms.`,
  );
}

const home = await mkdtemp(join(tmpdir(), 'nolo-jobs-'));
const stores = await startBackingServices({ home, progress: createConsoleProgress(process.stdout), environment: {} });
try {
  const urls = await provisionDatabase(stores.databaseUrl, 'nolo', ['chat'], 'load');
  const db = createDb({ url: urls.chat, schema: 'chat' });
  await createJobsTable(db);
  printLine(`\nJobs\n${describeConditions()}`);
  const sides = { bare: bareSide(stores.redisUrl), ours: ourSide(db, stores.redisUrl) };
  await measure(sides);
  await Promise.all(Object.values(sides).map((side) => side.close()));
  await db.destroy();
  printLine(describeConditions());
} finally {
  await stores.stop();
  deleteBackingData(home);
  rmSync(home, { recursive: true, force: true });
}
process.exit();
