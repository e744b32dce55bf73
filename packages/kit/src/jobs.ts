import type { Knex } from 'knex';
import type { Registry } from 'prom-client';
import type { Secret } from './config.ts';
import { idFromName, newId } from './ids.ts';
import { createJobClock, type JobClock } from './jobsClock.ts';
import { connectJobs } from './jobsConnection.ts';
import { createJobMeters } from './jobsMetrics.ts';
import type { Handler, Queue } from './jobsQueue.ts';
import { JobSweep } from './jobsSweep.ts';
import {
  deleteJob,
  insertJobs,
  listParked,
  moveJob,
  retryJob,
  type Due,
  type NewJob,
  type ParkedJob,
} from './jobsTable.ts';
import { startWorker, type JobWorker } from './jobsWorker.ts';
import type { Log } from './log.ts';
import { inSpan, sampledTraceparent, untraced } from './tracing.ts';

export { createJobsTable, indexJobsByQueue, type ParkedJob } from './jobsTable.ts';
export { createHold, defineQueue, HoldJob, ParkJob, type Handler, type Job, type Queue } from './jobsQueue.ts';

/**
 * Work that is due at a time, or at once, or again and again. The row in Postgres is the truth; BullMQ, in Redis, is the
 * clock that reminds a worker of it. So what Redis loses costs a delay of seconds at most, and never a job.
 */
export interface Jobs {
  /**
   * Writes a job into the caller's transaction: it is there if and only if that holds. With an id of the caller's, as that
   * of a post, adding it twice is adding it once. Answers with the id.
   */
  add<Payload>(
    trx: Knex,
    queue: Queue<Payload>,
    payload: Payload,
    when?: { id?: string; dueAt?: Date },
  ): Promise<string>;
  /** Many at once. */
  addAll<Payload>(
    trx: Knex,
    queue: Queue<Payload>,
    jobs: readonly { payload: Payload; id?: string; dueAt?: Date }[],
  ): Promise<string[]>;
  /** To another time; false where the job has begun or is gone. */
  move<Payload>(trx: Knex, queue: Queue<Payload>, id: string, dueAt: Date): Promise<boolean>;
  /** Takes it away, parked or not; false where it has begun or is gone. */
  cancel<Payload>(trx: Knex, queue: Queue<Payload>, id: string): Promise<boolean>;
  /** One job that repeats for ever, whoever and how many say so; `name` tells it from others of the queue. */
  repeat<Payload>(queue: Queue<Payload>, name: string, everyMs: number, payload: Payload): Promise<void>;
  /** What nobody tries any more, oldest first. */
  parked<Payload>(queue: Queue<Payload>, page: { limit: number; after?: string }): Promise<ParkedJob[]>;
  /** By hand: begins a parked job anew; false where it is not parked. */
  retry<Payload>(queue: Queue<Payload>, id: string): Promise<boolean>;
  /** Lets this process work on a queue, from start() on. */
  work<Payload>(queue: Queue<Payload>, handler: Handler<Payload>): void;
  /** Begins to work and to sweep; of use only after work(). */
  start(): void;
  /** What is under way ends within the grace, else it is given back. Idempotent. */
  stop(): Promise<void>;
}

export interface JobsOptions {
  /** The service's own; its schema has the table of createJobsTable. */
  db: Knex;
  /** Of the service: replicas of one share their queues. */
  service: string;
  redisUrl: string | Secret;
  /** REDIS_PREFIX. */
  redisPrefix?: string | undefined;
  log: Log;
  metrics?: Registry;
  /** Where gauges are counted; `db` unless told. */
  scrapeDb?: Knex | undefined;
  /** How often rows without a job are looked for, in one replica of all; ten seconds unless told. */
  sweepEveryMs?: number;
  /** How long a stop waits for what is under way; five seconds unless told. */
  graceMs?: number;
  /** How long a worker may say nothing of its jobs before others take them; thirty seconds unless told. */
  holdMs?: number;
}

/** A table of queues, of which each has a type of its own. */
interface Worked {
  queue: Queue<unknown>;
  start(): JobWorker;
}

export function createJobs(options: JobsOptions): Jobs {
  const { db, log } = options;
  const { sweepEveryMs = 10_000, graceMs = 5_000, holdMs = 30_000 } = options;
  const prefix = `${options.redisPrefix ? `${options.redisPrefix}:` : ''}jobs:${options.service}`;
  const redis = connectJobs({ url: options.redisUrl, log });
  const clocks = new Map<string, JobClock>();
  const worked = new Map<string, Worked>();
  const workers: JobWorker[] = [];
  const meters = options.metrics && createJobMeters(options.scrapeDb ?? db, options.metrics, () => worked.keys());

  const clockOf = (queue: string): JobClock => {
    const onError = (err: Error) => log.debug({ err, queue }, 'a queue had trouble with Redis');
    const clock = clocks.get(queue) ?? createJobClock({ queue, redis, prefix, onError });
    clocks.set(queue, clock);
    return clock;
  };
  const queues = () => [...worked.values()].map(({ queue }) => queue);
  const sweep = new JobSweep({ db, redis, prefix, log, everyMs: sweepEveryMs, queues, clockOf });

  /** A connection that is still being made takes what is asked of it; an outage would gather too much. */
  const isAway = () => ['reconnecting', 'close', 'end'].includes(redis.status);

  /** Tells Redis, if it is there and once the caller's transaction holds. The sweep makes up for whatever fails here. */
  const afterwards = (trx: Knex, tell: () => Promise<void>) => {
    sweep.stir();
    const committed = (trx as Knex & { executionPromise?: Promise<unknown> }).executionPromise ?? Promise.resolve();
    void untraced(() =>
      committed.then(
        () => (isAway() ? undefined : tell()),
        () => undefined,
      ),
    ).catch((error: unknown) => log.debug({ err: error }, 'Redis was not told of a job'));
  };

  const insert = async <Payload>(
    trx: Knex,
    queue: Queue<Payload>,
    jobs: readonly (Pick<NewJob, 'id' | 'dueAt' | 'everyMs'> & { payload: Payload })[],
  ) => {
    const attributes = {
      'messaging.system': 'bullmq',
      'messaging.destination.template': queue.name,
      'messaging.operation.type': 'send',
    };
    const due = await inSpan(`add ${queue.name}`, { kind: 'producer', attributes }, () => {
      const traceparent = sampledTraceparent();
      const rows = jobs.map((job) => ({
        ...job,
        queue: queue.name,
        // What could not be read again is refused here, where somebody hears of it.
        payload: queue.payload.parse(job.payload),
        traceparent,
      }));
      return insertJobs(trx, rows);
    });
    if (due.length > 0) afterwards(trx, () => clockOf(queue.name).set(due));
  };

  const stop = async () => {
    const swept = sweep.stop();
    await Promise.all(workers.map((worker) => worker.stop(graceMs)));
    await swept;
    await Promise.all([...clocks.values()].map((clock) => clock.close()));
    redis.disconnect();
  };
  let stopping: Promise<void> | undefined;

  return {
    async add(trx, queue, payload, { id = newId(), dueAt } = {}) {
      await insert(trx, queue, [{ id, payload, dueAt, everyMs: undefined }]);
      return id;
    },
    async addAll(trx, queue, jobs) {
      const rows = jobs.map(({ id = newId(), dueAt, payload }) => ({ id, dueAt, payload, everyMs: undefined }));
      await insert(trx, queue, rows);
      return rows.map(({ id }) => id);
    },
    async move(trx, queue, id, dueAt) {
      const due = await moveJob(trx, id, dueAt);
      if (due) afterwards(trx, () => clockOf(queue.name).set([due]));
      return due !== undefined;
    },
    async cancel(trx, queue, id) {
      const cancelled = await deleteJob(trx, id);
      if (cancelled) afterwards(trx, () => clockOf(queue.name).forget(id));
      return cancelled;
    },
    repeat: (queue, name, everyMs, payload) =>
      insert(db, queue, [{ id: idFromName(`job:${queue.name}:${name}`), payload, dueAt: undefined, everyMs }]),
    parked: (queue, { limit, after }) => listParked(db, queue.name, limit, after),
    async retry(queue, id) {
      const due = await retryJob(db, id);
      if (due) afterwards(db, () => clockOf(queue.name).set([due]));
      return due !== undefined;
    },
    work(queue, handler) {
      const setReminder = (due: Due) => afterwards(db, () => clockOf(queue.name).set([due]));
      const begin = () => startWorker({ queue, handler, db, redis, prefix, meters, log, holdMs, setReminder });
      worked.set(queue.name, { queue: queue as Queue<unknown>, start: begin });
    },
    start() {
      workers.push(...[...worked.values()].map((one) => one.start()));
      if (worked.size > 0) sweep.start();
    },
    stop: () => (stopping ??= stop()),
  };
}
