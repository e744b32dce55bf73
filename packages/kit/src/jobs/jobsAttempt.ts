import type { Knex } from 'knex';
import { AppError } from '../errors.ts';
import { batchCalls, batchCallsByKey } from '../batchCalls.ts';
import type { JobMeters } from './jobsMetrics.ts';
import { HoldJobError, ParkJobError, type JobHandler, type Job, type JobQueue } from './jobsQueue.ts';
import { finishJobs, type ClaimedJob, type DueJob, type JobRelease } from './jobsTable.ts';
import type { Log } from '../telemetry/log.ts';
import { errorTypeOf } from '../telemetry/tracing.ts';

/** Maximum rows per statement. */
const maxRowsPerStatement = 500;

/** Time an interrupted handler has to end. */
export const abortGraceMs = 1_000;

/** Interruption of an attempt: `timeout`, `stopping` or `job_lost`. */
export class AttemptInterrupted extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.name = 'Interrupted';
    this.code = code;
  }
}

/** Outcome of an attempt: done, with the next due time if any; not done; or taken over by another worker. */
type AttemptOutcome = { next: DueJob | undefined } | JobRelease | 'lost';

/** Runs the handler once. `release` is called when it has ended, before the outcome is stored. */
export type RunAttempt = (job: ClaimedJob, controller: AbortController, release: () => void) => Promise<AttemptOutcome>;

/**
 * Rejects shortly after the signal: a handler that observes the signal can still report its outcome, others are not
 * waited for.
 */
async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const abort = () => (timer = setTimeout(() => aborted.reject(signal.reason as Error), abortGraceMs / 2));
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

/** Decides what happens to a job whose attempt failed. */
function releaseOf(queue: JobQueue<unknown>, job: ClaimedJob, error: unknown): JobRelease {
  const failure = errorTypeOf(error);
  // The effects of an interrupted attempt are unknown.
  const unknown = error instanceof AttemptInterrupted && queue.whenInterrupted === 'park';
  const over = job.attempts >= queue.attempts && !job.repeats;
  if (error instanceof ParkJobError || unknown || over) return { failure, afterMs: undefined };
  const requestedMs = error instanceof AppError ? (error.retryAfterMs ?? 0) : 0;
  const uncounted = failure === 'stopping';
  return { failure, afterMs: uncounted ? 0 : Math.max(requestedMs, queue.backOffMs(job.attempts)), uncounted };
}

/** Creates the function that runs attempts of one queue's jobs for one worker. */
export function createAttemptRunner<Payload>(options: {
  queue: JobQueue<Payload>;
  handler: JobHandler<Payload>;
  db: Knex;
  worker: string;
  meters: JobMeters | undefined;
  log: Log;
}): RunAttempt {
  const { queue, handler, db, worker, meters, log } = options;
  const finishAll = async (trx: Knex, ids: string[]) => {
    const finished = await finishJobs(trx, worker, ids);
    return ids.map((id) => finished.get(id));
  };
  const finish = batchCalls((ids: string[]) => finishAll(db, ids), maxRowsPerStatement);
  /** Batches jobs that finish within the same handler transaction into one statement. */
  const finishIn = batchCallsByKey<Knex, string, DueJob | null | undefined>({
    run: finishAll,
    max: maxRowsPerStatement,
  });

  return async (job, controller, release) => {
    const payload = queue.payload.safeParse(job.payload);
    if (!payload.success) return { failure: 'payload_invalid', afterMs: undefined };
    /** Result of finishing within the handler's transaction; null if the job is not due again. */
    const own: { finished?: DueJob | null | undefined } = {};
    const given: Job<Payload> = {
      id: job.id,
      payload: payload.data,
      attempt: job.attempts,
      signal: controller.signal,
      async finish(trx) {
        own.finished = await finishIn.add(trx, job.id);
        if (own.finished === undefined) throw new AttemptInterrupted('job_lost');
      },
    };
    try {
      meters?.lateness.observe({ queue: queue.name }, Math.max(0, -job.leftMs) / 1000);
      const timer = setTimeout(() => controller.abort(new AttemptInterrupted('timeout')), queue.timeoutMs);
      try {
        await orAborted(handler(given), controller.signal);
      } finally {
        clearTimeout(timer);
        // Lets another job start while this one is completed in Postgres.
        release();
      }
      // If a transaction that finished the job was rolled back, it has thrown.
      const finished = own.finished === undefined ? await finish(job.id) : own.finished;
      return finished === undefined ? 'lost' : { next: finished ?? undefined };
    } catch (thrown) {
      const cut = controller.signal.aborted && !(thrown instanceof ParkJobError);
      const error: unknown = cut ? controller.signal.reason : thrown;
      if (errorTypeOf(error) === 'job_lost') return 'lost';
      if (error instanceof HoldJobError)
        return { failure: error.code, afterMs: error.afterMs, uncounted: true, isOnHold: true };
      log.warn({ err: error, queue: queue.name, job: job.id, attempt: job.attempts }, 'job failed');
      return releaseOf(queue as JobQueue<unknown>, job, error);
    }
  };
}
