import { DelayedError, Worker as BullWorker, type Job as BullJob } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Knex } from 'knex';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from './ids.ts';
import { createAttempt, endingMs, Interrupted } from './jobsAttempt.ts';
import { horizonMs } from './jobsClock.ts';
import type { JobMeters } from './jobsMetrics.ts';
import type { Handler, Queue } from './jobsQueue.ts';
import { createIntake } from './jobsIntake.ts';
import { claimDue, holdJobs, lookJobs, releaseJob, type Claimed, type Due } from './jobsTable.ts';
import type { Log } from './log.ts';
import { inSpan, untraced } from './tracing.ts';

/**
 * Reminders that a worker takes for each job that it may have under way: the next is at hand when one is done, while that is
 * still being ended in Postgres, which takes as long as many a job.
 */
const ahead = 2;

export interface WorkerOptions<Payload> {
  queue: Queue<Payload>;
  handler: Handler<Payload>;
  db: Knex;
  redis: Redis;
  prefix: string;
  meters: JobMeters | undefined;
  log: Log;
  /** How long this process may say nothing of a job before another takes it. */
  holdMs: number;
  /** Tells Redis when a job is due. */
  setReminder(due: Due): void;
}

/** One queue's work in this process. */
export interface JobWorker {
  /** Takes nothing more, lets what is under way end within the grace, and gives back the rest. Idempotent. */
  stop(graceMs: number): Promise<void>;
}

interface UnderWayOptions {
  db: Knex;
  log: Log;
  holdMs: number;
  queue: string;
  worker: string;
}

/** What a worker has under way, and says so in Postgres before others would take it. */
class JobsUnderWay {
  readonly #options: UnderWayOptions;
  readonly #running = new Map<string, AbortController>();
  /** While anything is under way. */
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

  /** Their rows are given back by the attempts themselves as they end. */
  interrupt(): void {
    for (const controller of this.#running.values()) controller.abort(new Interrupted('stopping'));
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
      // Of what begins meanwhile nothing is known.
      const asked = [...this.#running];
      const ids = asked.map(([id]) => id);
      const held = await holdJobs(db, { id: worker, holdMs }, ids);
      for (const [id, controller] of asked) if (!held.has(id)) controller.abort(new Interrupted('job_lost'));
    } catch (error) {
      log.warn({ err: error, queue }, 'jobs under way could not be held');
    }
  }
}

/**
 * What fires in Redis is only a reminder. Rows are claimed in Postgres, each by one worker whoever else is reminded, and by
 * its clock: a reminder that comes too early is set again, and one for a row that is gone ends there.
 */
export function startWorker<Payload>(options: WorkerOptions<Payload>): JobWorker {
  const { queue, db, meters, log, holdMs } = options;
  const worker = newId();
  const underWay = new JobsUnderWay({ db, log, holdMs, queue: queue.name, worker });
  const attempt = createAttempt({ ...options, worker });

  const count = (result: 'done' | 'failed' | 'parked' | 'lost') => meters?.ended.inc({ queue: queue.name, result });

  /** Runs one attempt to its end in Postgres, and answers when the job is due again, if it is. */
  const runClaimed = async (
    job: Claimed,
    controller: AbortController,
    release: () => void,
  ): Promise<Due | undefined> => {
    const begun = performance.now();
    try {
      const outcome = await attempt(job, controller, release);
      if (outcome === 'lost') {
        log.warn({ queue: queue.name, job: job.id }, 'a job was taken over by another worker');
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

  const run = async (job: Claimed, release: () => void): Promise<Due | undefined> => {
    const controller = underWay.begin(job.id);
    try {
      if (job.leftMs > 0) await sleep(job.leftMs);
      return await inSpan(
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

  const intake = createIntake({
    concurrency: queue.concurrency,
    claim: (limit) => claimDue(db, { id: worker, holdMs }, queue.name, limit),
    look: (ids) => lookJobs(db, ids),
    run,
    setReminder: options.setReminder,
    onError: (error) => log.warn({ err: error, queue: queue.name }, 'a job could not be ended'),
  });

  const process = async (bullJob: BullJob, token = ''): Promise<void> => {
    const due = await intake.remind(bullJob.id ?? '');
    // Of what is due much later nothing stays in Redis.
    if (!due || due.leftMs > horizonMs) return;
    await bullJob.moveToDelayed(Date.now() + Math.max(1, Math.ceil(due.leftMs)), token);
    throw new DelayedError();
  };

  const bull = untraced(
    () =>
      new BullWorker(queue.name, process, {
        connection: options.redis,
        prefix: options.prefix,
        concurrency: queue.concurrency * ahead,
        lockDuration: holdMs,
        // How often a job may be found with a dead worker is decided by its row.
        maxStalledCount: 1_000,
        stalledInterval: holdMs / 2,
        // Of what a lock lasts; BullMQ looks twice as often whether there is one to renew.
        lockRenewTime: (holdMs * 2) / 3,
        // How long a worker waits for a marker: one that dies takes it along, and the others look after ten seconds, as the sweep does.
        drainDelay: 10,
        runRetryDelay: 1_000,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      }),
  );
  bull.on('error', (error) => log.debug({ err: error, queue: queue.name }, 'the worker had trouble with Redis'));

  const end = async (graceMs: number) => {
    intake.stop();
    const closing = Promise.all([bull.close(), intake.idle()]);
    closing.catch(() => undefined);
    await Promise.race([closing, sleep(graceMs, undefined, { ref: false })]);
    underWay.interrupt();
    await Promise.race([closing, sleep(endingMs, undefined, { ref: false })]);
    underWay.stop();
    await bull.close(true).catch(() => undefined);
  };
  let ending: Promise<void> | undefined;
  return { stop: (graceMs) => (ending ??= end(graceMs)) };
}
