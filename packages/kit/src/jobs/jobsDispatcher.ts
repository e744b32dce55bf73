import type { ClaimedJob, DueJob } from './jobsTable.ts';
import { withoutSpan } from '../telemetry/tracing.ts';

/** Maximum rows per statement. */
const maxRowsPerStatement = 500;

export interface JobDispatcherOptions {
  /** Maximum jobs in progress at once. */
  concurrency: number;
  /** Claims up to `limit` due rows, oldest first. */
  claim(limit: number): Promise<ClaimedJob[]>;
  /** Returns those of the jobs that are not due yet, with their due times. */
  findWaiting(ids: readonly string[]): Promise<Map<string, DueJob>>;
  /** Runs a job; `release` lets the next one start before this one has ended. Returns the next due time. */
  run(job: ClaimedJob, release: () => void): Promise<DueJob | undefined>;
  /** Schedules the reminder of a job that is due again and that ran without a reminder. */
  setReminder(due: DueJob): void;
  /**
   * Reports that a job which ran without a reminder could not be completed. Another worker takes it when its hold
   * expires.
   */
  onError(error: unknown): void;
}

export interface JobDispatcher {
  /**
   * Handles a reminder. Returns the next due time of its job, or undefined if the job is done or belongs to another
   * worker.
   */
  remind(id: string): Promise<DueJob | undefined>;
  /** Accepts no more jobs, and answers reminders without a job in progress. */
  stop(): void;
  /** Resolves once no job is in progress. */
  idle(): Promise<void>;
}

/** Tracks pending reminders by job. */
function createReminders() {
  const reminders = new Map<string, PromiseWithResolvers<DueJob | undefined>>();
  return {
    of(id: string) {
      const reminder = reminders.get(id) ?? Promise.withResolvers<DueJob | undefined>();
      reminders.set(id, reminder);
      return reminder;
    },
    /** Removes a reminder, so that it is answered only once. */
    take(id: string) {
      const reminder = reminders.get(id);
      reminders.delete(id);
      return reminder;
    },
    ids: () => [...reminders.keys()],
  };
}

/**
 * Distributes due jobs. Redis signals that something is due; PostgreSQL knows what. One reminder starts everything that
 * is due, with one statement for as many jobs as can start, so jobs that fall due together do not wait for as many
 * reminders. Later reminders find their jobs done. While more is due than can start, no reminder is answered, because
 * taking the next one from Redis costs as much as running a job.
 */
export function createJobDispatcher(options: JobDispatcherOptions): JobDispatcher {
  const { concurrency, claim, findWaiting, run } = options;
  const reminders = createReminders();
  const underWay = new Set<string>();
  const deferredAnswers: (() => void)[] = [];
  const idle: (() => void)[] = [];
  let begun = 0;
  let stopped = false;
  /** True if more jobs were due than could start at the last check. */
  let full = false;
  /** True if nothing can start before a job is released. */
  let blocked = false;
  let pulling = false;
  let hasMoreToPull = false;

  const end = (id: string, due: DueJob | undefined) => {
    const reminder = reminders.take(id);
    if (!reminder) {
      if (due) options.setReminder(due);
    } else if (full && !stopped) deferredAnswers.push(() => reminder.resolve(due));
    else reminder.resolve(due);
  };

  const begin = async (job: ClaimedJob) => {
    begun += 1;
    underWay.add(job.id);
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      begun -= 1;
      if (blocked) pull();
    };
    try {
      const due = await run(job, release);
      underWay.delete(job.id);
      end(job.id, due);
    } catch (error) {
      underWay.delete(job.id);
      const reminder = reminders.take(job.id);
      if (reminder) reminder.reject(error);
      else options.onError(error);
    } finally {
      release();
      if (underWay.size === 0) for (const resolveIdle of idle.splice(0)) resolveIdle();
    }
  };

  const flushDeferredAnswers = () => {
    for (const answer of deferredAnswers.splice(0)) answer();
  };

  const waitingIds = () => reminders.ids().filter((id) => !underWay.has(id));

  /**
   * Answers the remaining reminders once all due jobs have started: theirs are not due yet, gone, or held by another
   * worker.
   */
  const settle = async () => {
    flushDeferredAnswers();
    const ids = waitingIds();
    if (ids.length === 0) return;
    const waiting = await findWaiting(ids);
    for (const id of ids) reminders.take(id)?.resolve(waiting.get(id));
  };

  const handOut = async () => {
    const free = Math.min(concurrency - begun, maxRowsPerStatement);
    if (free <= 0) {
      blocked = true;
      return;
    }
    const jobs = await claim(free);
    full = jobs.length === free;
    for (const job of jobs) void begin(job);
    if (full) hasMoreToPull = true;
    else await settle();
  };

  const drain = async () => {
    try {
      while (hasMoreToPull && !stopped) {
        // Lets reminders from the same socket read join.
        await new Promise(setImmediate);
        hasMoreToPull = false;
        blocked = false;
        await handOut();
      }
    } catch (error) {
      full = false;
      flushDeferredAnswers();
      // BullMQ forgets failed jobs; the sweep restores them.
      for (const id of waitingIds()) reminders.take(id)?.reject(error);
    } finally {
      pulling = false;
    }
  };

  function pull() {
    hasMoreToPull = true;
    if (pulling || stopped) return;
    pulling = true;
    void withoutSpan(drain);
  }

  return {
    remind(id) {
      if (stopped) return Promise.resolve({ id, queue: '', leftMs: 0 });
      const reminder = reminders.of(id);
      if (!underWay.has(id)) pull();
      return reminder.promise;
    },
    stop() {
      stopped = true;
      flushDeferredAnswers();
      for (const id of waitingIds()) reminders.take(id)?.resolve({ id, queue: '', leftMs: 0 });
    },
    idle: () => (underWay.size === 0 ? Promise.resolve() : new Promise((resolve) => void idle.push(resolve))),
  };
}
