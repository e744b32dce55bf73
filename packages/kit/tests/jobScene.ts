import type { ChildProcess } from 'node:child_process';
import { createDb, type Knex } from '@nolo/kit/db';
import {
  createJobScheduler,
  createJobsTable,
  defineQueue,
  type Handler,
  type JobScheduler,
  type Queue,
} from '@nolo/kit/jobs';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis, type Redis } from '@nolo/kit/redis';
import { createTestDatabase, readTestServerAddresses, createUniqueName, type TestDatabase } from '@nolo/testing';
import { z } from 'zod';
import { startCuttableProxy, type CuttableProxy } from './cuttableProxy.ts';

const { jest } = import.meta;
export const log = createLog({ service: 'test', level: 'silent' });
export const { redisUrl } = readTestServerAddresses();
/** Prefix of the keys of one test. Importing this file connects to the servers, and cleans up after each test. */
export let prefix = '';
export let database: TestDatabase<'chat'>;
export let db: Knex;
export let redis: Redis;
export let proxy: CuttableProxy;
const replicas: JobScheduler[] = [];
export const processes: ChildProcess[] = [];

const numbers = z.object({ n: z.number() });
/** Defines a queue with a unique name. */
export const queueOf = (definition: Partial<Queue<{ n: number }>> = {}) =>
  defineQueue({ name: createUniqueName('queue'), payload: numbers, ...definition });

/** Creates a replica of the service. Replicas of one test share keys in Redis. */
export function replica(options: Partial<Parameters<typeof createJobScheduler>[0]> = {}): JobScheduler {
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
export const withoutSweep = { sweepEveryMs: 3_600_000 };

/** Starts a replica that works on one queue. */
export function working<Payload>(queue: Queue<Payload>, handler: Handler<Payload>, options = {}): JobScheduler {
  const made = replica(options);
  made.work(queue, handler);
  made.start();
  return made;
}

export const rowOf = async (id: string) =>
  (await db('jobs').where({ id }).first()) as { state: string; failure: string; attempts: number } | undefined;
export const inMs = (ms: number) => new Date(Date.now() + ms);

export async function emptyRedis(): Promise<number> {
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
