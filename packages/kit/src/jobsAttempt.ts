import type { Knex } from 'knex';
import { AppError } from './errors.ts';
import { gather, gatherBy } from './gather.ts';
import type { JobMeters } from './jobsMetrics.ts';
import { HoldJob, ParkJob, type Handler, type Job, type Queue } from './jobsQueue.ts';
import { finishJobs, type Claimed, type Due, type Release } from './jobsTable.ts';
import type { Log } from './log.ts';
import { errorType } from './tracing.ts';

/** Rows of one statement. */
const mostAtOnce = 500;

/** What was told to end has so long to do it. */
export const endingMs = 1_000;

/** Why an attempt was cut short: `timeout`, `stopping` or `job_lost`. */
export class Interrupted extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.name = 'Interrupted';
    this.code = code;
  }
}

/** What became of an attempt: done, and when the job is due next, if it is; not done; or another worker has the job. */
export type Outcome = { next: Due | undefined } | Release | 'lost';

/** Runs the handler once; `release` is called when it has ended, before that is written down. */
export type Attempt = (job: Claimed, controller: AbortController, release: () => void) => Promise<Outcome>;

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

/** What is to become of a job whose attempt failed. */
function releaseOf(queue: Queue<unknown>, job: Claimed, error: unknown): Release {
  const failure = errorType(error);
  // Nobody knows what an attempt that was cut short has done.
  const unknown = error instanceof Interrupted && queue.whenInterrupted === 'park';
  const over = job.attempts >= queue.attempts && !job.repeats;
  if (error instanceof ParkJob || unknown || over) return { failure, afterMs: undefined };
  const asked = error instanceof AppError ? (error.retryAfterMs ?? 0) : 0;
  const uncounted = failure === 'stopping';
  return { failure, afterMs: uncounted ? 0 : Math.max(asked, queue.backOffMs(job.attempts)), uncounted };
}

/** Attempts at the jobs of one queue, by one worker. */
export function createAttempt<Payload>(options: {
  queue: Queue<Payload>;
  handler: Handler<Payload>;
  db: Knex;
  worker: string;
  meters: JobMeters | undefined;
  log: Log;
}): Attempt {
  const { queue, handler, db, worker, meters, log } = options;
  const finishAll = async (trx: Knex, ids: string[]) => {
    const finished = await finishJobs(trx, worker, ids);
    return ids.map((id) => finished.get(id));
  };
  const finish = gather((ids: string[]) => finishAll(db, ids), mostAtOnce);
  /** In transactions of handlers: those that end in one go with one statement. */
  const finishIn = gatherBy<Knex, string, Due | null | undefined>({ run: finishAll, most: mostAtOnce });

  return async (job, controller, release) => {
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
        await orAborted(handler(given), controller.signal);
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
      if (error instanceof HoldJob) return { failure: error.code, afterMs: error.afterMs, uncounted: true, held: true };
      log.warn({ err: error, queue: queue.name, job: job.id, attempt: job.attempts }, 'a job failed');
      return releaseOf(queue as Queue<unknown>, job, error);
    }
  };
}
