import type { Knex } from 'knex';
import type { Registry } from 'prom-client';
import type { Secret } from '../config.ts';
import { idFromName, newId } from '../ids.ts';
import { createJobReminders, type JobReminders } from './jobsReminders.ts';
import { connectJobRedis } from './jobsConnection.ts';
import { createJobMeters } from './jobsMetrics.ts';
import type { JobHandler, JobQueue } from './jobsQueue.ts';
import { JobSweep } from './jobsSweep.ts';
import {
  deleteJob,
  insertJobs,
  listParked,
  rescheduleJob,
  retryJob,
  type DueJob,
  type NewJob,
  type ParkedJob,
} from './jobsTable.ts';
import { startWorker, type JobWorker } from './jobsWorker.ts';
import type { Log } from '../telemetry/log.ts';
import { runInSpan, getSampledTraceparent, withoutSpan } from '../telemetry/tracing.ts';

export { createJobsTable, indexJobsByQueue, type ParkedJob } from './jobsTable.ts';
export {
  createHoldWhileUnavailable,
  defineQueue,
  HoldJobError,
  ParkJobError,
  type JobHandler as Handler,
  type Job,
  type JobQueue as Queue,
} from './jobsQueue.ts';

/**
 * Jobs that are due at a time, immediately, or repeatedly. The row in Postgres is the source of truth; BullMQ, in
 * Redis, is the clock that reminds a worker of it. If Redis loses data, jobs are delayed by seconds at most, and never
 * lost.
 */
export interface JobScheduler {
  /**
   * Writes a job in the caller's transaction, so it exists if and only if the transaction commits. With an id from the
   * caller, such as that of a post, adding is idempotent. Returns the id.
   */
  add<Payload>(
    trx: Knex,
    queue: JobQueue<Payload>,
    payload: Payload,
    when?: { id?: string; dueAt?: Date },
  ): Promise<string>;
  /** Adds many jobs at once. */
  addAll<Payload>(
    trx: Knex,
    queue: JobQueue<Payload>,
    jobs: readonly { payload: Payload; id?: string; dueAt?: Date }[],
  ): Promise<string[]>;
  /** Reschedules a job. Returns false if it has started or is gone. */
  move<Payload>(trx: Knex, queue: JobQueue<Payload>, id: string, dueAt: Date): Promise<boolean>;
  /** Deletes a job, parked or not. Returns false if it has started or is gone. */
  cancel<Payload>(trx: Knex, queue: JobQueue<Payload>, id: string): Promise<boolean>;
  /**
   * Ensures one job that repeats forever, regardless of how many callers request it; `name` distinguishes it within the
   * queue.
   */
  repeat<Payload>(queue: JobQueue<Payload>, name: string, everyMs: number, payload: Payload): Promise<void>;
  /** Lists jobs that are no longer retried, oldest first. */
  parked<Payload>(queue: JobQueue<Payload>, page: { limit: number; after?: string }): Promise<ParkedJob[]>;
  /** Restarts a parked job manually. Returns false if it is not parked. */
  retry<Payload>(queue: JobQueue<Payload>, id: string): Promise<boolean>;
  /** Lets this process work on a queue, from start() on. */
  work<Payload>(queue: JobQueue<Payload>, handler: JobHandler<Payload>): void;
  /** Starts working and sweeping; useful only after work(). */
  start(): void;
  /** Stops. Jobs in progress may end within the grace period, otherwise they are returned to the queue. Idempotent. */
  stop(): Promise<void>;
}

export interface JobSchedulerOptions {
  /** Database of the service; its schema has the table of createJobsTable. */
  db: Knex;
  /** Name of the service. Its replicas share their queues. */
  service: string;
  redisUrl: string | Secret;
  /** REDIS_PREFIX. */
  redisPrefix?: string | undefined;
  log: Log;
  metrics?: Registry;
  /** Database for gauges. Default: `db`. */
  scrapeDb?: Knex | undefined;
  /** Interval at which one of the replicas looks for rows without a Redis job. Default: ten seconds. */
  sweepEveryMs?: number;
  /** Time a stop waits for jobs in progress. Default: five seconds. */
  graceMs?: number;
  /** Silence of a worker after which others take its jobs. Default: thirty seconds. */
  holdMs?: number;
}

/** Erases the payload type, because each queue in the table has its own. */
interface Worked {
  queue: JobQueue<unknown>;
  start(): JobWorker;
}

export function createJobScheduler(options: JobSchedulerOptions): JobScheduler {
  const { db, log } = options;
  const { sweepEveryMs = 10_000, graceMs = 5_000, holdMs = 30_000 } = options;
  const prefix = `${options.redisPrefix ? `${options.redisPrefix}:` : ''}jobs:${options.service}`;
  const redis = connectJobRedis({ url: options.redisUrl, log });
  const clocks = new Map<string, JobReminders>();
  const worked = new Map<string, Worked>();
  const workers: JobWorker[] = [];
  const meters = options.metrics && createJobMeters(options.scrapeDb ?? db, options.metrics, () => worked.keys());

  const clockOf = (queue: string): JobReminders => {
    const onError = (err: Error) => log.debug({ err, queue }, 'Redis error in a job queue');
    const clock = clocks.get(queue) ?? createJobReminders({ queue, redis, prefix, onError });
    clocks.set(queue, clock);
    return clock;
  };
  const queues = () => [...worked.values()].map(({ queue }) => queue);
  const sweep = new JobSweep({ db, redis, prefix, log, everyMs: sweepEveryMs, queues, clockOf });

  /**
   * True while Redis is unreachable. A connection that is still being established accepts commands, but an outage would
   * accumulate too many.
   */
  const isAway = () => ['reconnecting', 'close', 'end'].includes(redis.status);

  /**
   * Updates Redis after the caller's transaction commits, if Redis is reachable. The sweep repairs any failure here.
   */
  const afterwards = (trx: Knex, notifyRedis: () => Promise<void>) => {
    sweep.endQuietPeriod();
    const committed = (trx as Knex & { executionPromise?: Promise<unknown> }).executionPromise ?? Promise.resolve();
    void withoutSpan(() =>
      committed.then(
        () => (isAway() ? undefined : notifyRedis()),
        () => undefined,
      ),
    ).catch((error: unknown) => log.debug({ err: error }, 'notifying Redis of a job failed'));
  };

  const insert = async <Payload>(
    trx: Knex,
    queue: JobQueue<Payload>,
    jobs: readonly (Pick<NewJob, 'id' | 'dueAt' | 'everyMs'> & { payload: Payload })[],
  ) => {
    const attributes = {
      'messaging.system': 'bullmq',
      'messaging.destination.template': queue.name,
      'messaging.operation.type': 'send',
    };
    const due = await runInSpan(`add ${queue.name}`, { kind: 'producer', attributes }, () => {
      const traceparent = getSampledTraceparent();
      const rows = jobs.map((job) => ({
        ...job,
        queue: queue.name,
        // Rejects unreadable payloads here, where the caller sees the error.
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
      const due = await rescheduleJob(trx, id, dueAt);
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
      const setReminder = (due: DueJob) => afterwards(db, () => clockOf(queue.name).set([due]));
      const begin = () => startWorker({ queue, handler, db, redis, prefix, meters, log, holdMs, setReminder });
      worked.set(queue.name, { queue: queue as JobQueue<unknown>, start: begin });
    },
    start() {
      workers.push(...[...worked.values()].map((one) => one.start()));
      if (worked.size > 0) sweep.start();
    },
    stop: () => (stopping ??= stop()),
  };
}
