import { DelayedError, Worker as BullWorker, type Job as BullJob } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Knex } from 'knex';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from './errors.ts';
import { newId } from './ids.ts';
import { horizonMs } from './jobsClock.ts';
import type { JobMeters } from './jobsMetrics.ts';
import { ParkJob, type Handler, type Job, type Queue } from './jobsQueue.ts';
import { createIntake } from './jobsIntake.ts';
import {
  claimDue,
  finishJobs,
  holdJobs,
  lookJobs,
  releaseJob,
  type Claimed,
  type Due,
  type Release,
} from './jobsTable.ts';
import type { Log } from './log.ts';
import { gather, gatherBy } from './gather.ts';
import { errorType, inSpan, untraced } from './tracing.ts';

/** Rows of one statement. */
const mostAtOnce = 500;
/**
 * Reminders that a worker takes for each job that it may have under way: the next is at hand when one is done, while that is
 * still being ended in Postgres, which takes as long as many a job.
 */
const ahead = 2;
/** What was told to end has so long to do it. */
const endingMs = 1_000;

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

class Interrupted extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.name = 'Interrupted';
    this.code = code;
  }
}

/** Rejects a moment after the signal: a handler that listens to it tells how it ended, any other is not waited for. */
async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const abort = () => (timer = setTimeout(() => aborted.reject(signal.reason as Error), endingMs / 2));
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

/**
 * What fires in Redis is only a reminder. Rows are claimed in Postgres, each by one worker whoever else is reminded, and by
 * its clock: a reminder that comes too early is set again, and one for a row that is gone ends there.
 */
export function startWorker<Payload>(options: WorkerOptions<Payload>): JobWorker {
  const { queue, db, meters, log, holdMs } = options;
  const worker = newId();
  const holder = { id: worker, holdMs };
  const running = new Map<string, AbortController>();
  /** While anything is under way. */
  let holding: NodeJS.Timeout | undefined;
  const finish = gather(async (ids: string[]) => {
    const finished = await finishJobs(db, worker, ids);
    return ids.map((id) => finished.get(id));
  }, mostAtOnce);

  /** In transactions of handlers: those that end in one go with one statement. */
  const finishIn = gatherBy<Knex, string, Due | null | undefined>({
    async run(trx, ids) {
      const finished = await finishJobs(trx, worker, ids);
      return ids.map((id) => finished.get(id));
    },
    most: mostAtOnce,
  });

  /** Ends as done, or with what is to become of the job. */
  const attempt = async (
    job: Claimed,
    controller: AbortController,
    release: () => void,
  ): Promise<Release | { next: Due | undefined } | 'lost'> => {
    const payload = queue.payload.safeParse(job.payload);
    if (!payload.success) return { failure: 'payload_invalid', afterMs: undefined };
    /** What the handler's own transaction answered, null where nothing is due again. */
    const own: { finished?: Due | null | undefined } = {};
    const given: Job<Payload> = {
      id: job.id,
      payload: payload.data,
      attempt: job.attempts,
      signal: controller.signal,
      async finish(trx) {
        own.finished = await finishIn.add(trx, job.id);
        if (own.finished === undefined) throw new Interrupted('job_lost');
      },
    };
    try {
      meters?.lateness.observe({ queue: queue.name }, Math.max(0, -job.leftMs) / 1000);
      const timer = setTimeout(() => controller.abort(new Interrupted('timeout')), queue.timeoutMs);
      try {
        await orAborted(options.handler(given), controller.signal);
      } finally {
        clearTimeout(timer);
        // Another job begins while this one is ended in Postgres.
        release();
      }
      // A transaction that finished the job and was undone has thrown.
      const finished = own.finished === undefined ? await finish(job.id) : own.finished;
      return finished === undefined ? 'lost' : { next: finished ?? undefined };
    } catch (thrown) {
      const cut = controller.signal.aborted && !(thrown instanceof ParkJob);
      const error: unknown = cut ? controller.signal.reason : thrown;
      if (errorType(error) === 'job_lost') return 'lost';
      log.warn({ err: error, queue: queue.name, job: job.id, attempt: job.attempts }, 'a job failed');
      const failure = errorType(error);
      // Nobody knows what an attempt that was cut short has done.
      const unknown = error instanceof Interrupted && queue.whenInterrupted === 'park';
      const over = job.attempts >= queue.attempts && !job.repeats;
      if (error instanceof ParkJob || unknown || over) return { failure, afterMs: undefined };
      const asked = error instanceof AppError ? (error.retryAfterMs ?? 0) : 0;
      const uncounted = failure === 'stopping';
      return { failure, afterMs: uncounted ? 0 : Math.max(asked, queue.backOffMs(job.attempts)), uncounted };
    }
  };

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
    const controller = new AbortController();
    running.set(job.id, controller);
    holding ??= setInterval(() => void hold(), holdMs / 3).unref();
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
      running.delete(job.id);
    }
  };

  const intake = createIntake({
    concurrency: queue.concurrency,
    claim: (limit) => claimDue(db, holder, queue.name, limit),
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

  const hold = async () => {
    if (running.size === 0) {
      clearInterval(holding);
      holding = undefined;
      return;
    }
    try {
      // Of what begins meanwhile nothing is known.
      const asked = [...running];
      const ids = asked.map(([id]) => id);
      const held = await holdJobs(db, holder, ids);
      for (const [id, controller] of asked) if (!held.has(id)) controller.abort(new Interrupted('job_lost'));
    } catch (error) {
      log.warn({ err: error, queue: queue.name }, 'jobs under way could not be held');
    }
  };

  const end = async (graceMs: number) => {
    intake.stop();
    const closing = Promise.all([bull.close(), intake.idle()]);
    closing.catch(() => undefined);
    await Promise.race([closing, sleep(graceMs, undefined, { ref: false })]);
    // Their rows are given back by the attempts themselves as they end.
    for (const controller of running.values()) controller.abort(new Interrupted('stopping'));
    await Promise.race([closing, sleep(endingMs, undefined, { ref: false })]);
    clearInterval(holding);
    await bull.close(true).catch(() => undefined);
  };
  let ending: Promise<void> | undefined;
  return { stop: (graceMs) => (ending ??= end(graceMs)) };
}
