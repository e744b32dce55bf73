import { DelayedError, Worker as BullWorker, type Job as BullJob } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Knex } from 'knex';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../ids.ts';
import { createAttemptRunner, abortGraceMs, AttemptInterrupted } from './jobsAttempt.ts';
import { reminderHorizonMs } from './jobsReminders.ts';
import type { JobMeters } from './jobsMetrics.ts';
import type { JobHandler, JobQueue } from './jobsQueue.ts';
import { createJobDispatcher } from './jobsDispatcher.ts';
import { claimDue, renewJobHolds, findWaitingJobs, releaseJob, type ClaimedJob, type DueJob } from './jobsTable.ts';
import type { Log } from '../telemetry/log.ts';
import { runInSpan, withoutSpan } from '../telemetry/tracing.ts';

/**
 * Reminders that a worker takes per concurrent job. The next one is ready while the previous job is still being
 * completed in Postgres, which takes as long as many a job.
 */
const ahead = 2;

export interface WorkerOptions<Payload> {
  queue: JobQueue<Payload>;
  handler: JobHandler<Payload>;
  db: Knex;
  redis: Redis;
  prefix: string;
  meters: JobMeters | undefined;
  log: Log;
  /** Silence of this process after which another one takes its jobs. */
  holdMs: number;
  /** Schedules the reminder of a job in Redis. */
  setReminder(due: DueJob): void;
}

/** Worker for one queue in this process. */
export interface JobWorker {
  /**
   * Accepts no more jobs, lets those in progress end within the grace period, and returns the rest to the queue.
   * Idempotent.
   */
  stop(graceMs: number): Promise<void>;
}

interface UnderWayOptions {
  db: Knex;
  log: Log;
  holdMs: number;
  queue: string;
  worker: string;
}

/** Tracks a worker's jobs in progress, and renews its hold in Postgres before it expires. */
class JobsUnderWay {
  readonly #options: UnderWayOptions;
  readonly #running = new Map<string, AbortController>();
  /** Timer that runs while jobs are in progress. */
  #holding: NodeJS.Timeout | undefined;

  constructor(options: UnderWayOptions) {
    this.#options = options;
  }

  begin(id: string): AbortController {
    const controller = new AbortController();
    this.#running.set(id, controller);
    this.#holding ??= setInterval(() => void this.#hold(), this.#options.holdMs / 3).unref();
    return controller;
  }

  end(id: string): void {
    this.#running.delete(id);
  }

  /** The attempts themselves return their rows as they end. */
  interrupt(): void {
    for (const controller of this.#running.values()) controller.abort(new AttemptInterrupted('stopping'));
  }

  stop(): void {
    clearInterval(this.#holding);
    this.#holding = undefined;
  }

  async #hold(): Promise<void> {
    if (this.#running.size === 0) {
      this.stop();
      return;
    }
    const { db, log, queue, worker, holdMs } = this.#options;
    try {
      // Jobs that start meanwhile are not part of the result.
      const runningJobs = [...this.#running];
      const ids = runningJobs.map(([id]) => id);
      const keptIds = await renewJobHolds(db, { id: worker, holdMs }, ids);
      for (const [id, controller] of runningJobs)
        if (!keptIds.has(id)) controller.abort(new AttemptInterrupted('job_lost'));
    } catch (error) {
      log.warn({ err: error, queue }, 'extending the hold on active jobs failed');
    }
  }
}

/**
 * Starts a worker. Redis events are only reminders. Rows are claimed in Postgres, each by one worker regardless of
 * other reminders, and by the clock of Postgres: a reminder that comes too early is rescheduled, and one for a deleted
 * row ends there.
 */
export function startWorker<Payload>(options: WorkerOptions<Payload>): JobWorker {
  const { queue, db, meters, log, holdMs } = options;
  const worker = newId();
  const underWay = new JobsUnderWay({ db, log, holdMs, queue: queue.name, worker });
  const attempt = createAttemptRunner({ ...options, worker });

  const count = (result: 'done' | 'failed' | 'parked' | 'lost') => meters?.ended.inc({ queue: queue.name, result });

  /** Runs one attempt until its outcome is in Postgres. Returns the next due time, if any. */
  const runClaimed = async (
    job: ClaimedJob,
    controller: AbortController,
    release: () => void,
  ): Promise<DueJob | undefined> => {
    const begun = performance.now();
    try {
      const outcome = await attempt(job, controller, release);
      if (outcome === 'lost') {
        log.warn({ queue: queue.name, job: job.id }, 'job taken over by another worker');
        count('lost');
        return undefined;
      }
      if ('next' in outcome) {
        count('done');
        return outcome.next;
      }
      count(outcome.afterMs === undefined ? 'parked' : 'failed');
      const released = await releaseJob(db, worker, job.id, outcome);
      if (!released || outcome.afterMs === undefined) return undefined;
      return { id: job.id, queue: queue.name, leftMs: outcome.afterMs };
    } finally {
      meters?.seconds.observe({ queue: queue.name }, (performance.now() - begun) / 1000);
    }
  };

  const run = async (job: ClaimedJob, release: () => void): Promise<DueJob | undefined> => {
    const controller = underWay.begin(job.id);
    try {
      if (job.leftMs > 0) await sleep(job.leftMs);
      return await runInSpan(
        `job ${queue.name}`,
        {
          kind: 'consumer',
          parent: job.traceparent ?? undefined,
          attributes: {
            'messaging.system': 'bullmq',
            'messaging.destination.template': queue.name,
            'messaging.operation.type': 'process',
            'nolo.attempt': job.attempts,
          },
        },
        () => runClaimed(job, controller, release),
      );
    } finally {
      underWay.end(job.id);
    }
  };

  const intake = createJobDispatcher({
    concurrency: queue.concurrency,
    claim: (limit) => claimDue(db, { id: worker, holdMs }, queue.name, limit),
    findWaiting: (ids) => findWaitingJobs(db, ids),
    run,
    setReminder: options.setReminder,
    onError: (error) => log.warn({ err: error, queue: queue.name }, 'finishing a job failed'),
  });

  const process = async (bullJob: BullJob, token = ''): Promise<void> => {
    const due = await intake.remind(bullJob.id ?? '');
    // Jobs that are due much later are not stored in Redis.
    if (!due || due.leftMs > reminderHorizonMs) return;
    await bullJob.moveToDelayed(Date.now() + Math.max(1, Math.ceil(due.leftMs)), token);
    throw new DelayedError();
  };

  const bull = withoutSpan(
    () =>
      new BullWorker(queue.name, process, {
        connection: options.redis,
        prefix: options.prefix,
        concurrency: queue.concurrency * ahead,
        lockDuration: holdMs,
        // The row decides how often a job may lose its worker.
        maxStalledCount: 1_000,
        stalledInterval: holdMs / 2,
        // Two thirds of the lock duration; BullMQ checks twice as often for locks to renew.
        lockRenewTime: (holdMs * 2) / 3,
        // Seconds that a worker waits for a marker. A worker that dies takes its marker along, and the others check
        // after ten seconds, as the sweep does.
        drainDelay: 10,
        runRetryDelay: 1_000,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      }),
  );
  bull.on('error', (error) => log.debug({ err: error, queue: queue.name }, 'Redis error in a job worker'));

  const end = async (graceMs: number) => {
    intake.stop();
    const closing = Promise.all([bull.close(), intake.idle()]);
    closing.catch(() => undefined);
    await Promise.race([closing, sleep(graceMs, undefined, { ref: false })]);
    underWay.interrupt();
    await Promise.race([closing, sleep(abortGraceMs, undefined, { ref: false })]);
    underWay.stop();
    await bull.close(true).catch(() => undefined);
  };
  let ending: Promise<void> | undefined;
  return { stop: (graceMs) => (ending ??= end(graceMs)) };
}
