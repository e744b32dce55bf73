import type { Claimed, Due } from './jobsTable.ts';
import { untraced } from './tracing.ts';

/** Maximum rows per statement. */
const mostAtOnce = 500;

export interface IntakeOptions {
  /** Maximum jobs in progress at once. */
  concurrency: number;
  /** Claims up to `limit` due rows, oldest first. */
  claim(limit: number): Promise<Claimed[]>;
  /** Returns those of the jobs that are not due yet, with their due times. */
  look(ids: readonly string[]): Promise<Map<string, Due>>;
  /** Runs a job; `release` lets the next one start before this one has ended. Returns the next due time. */
  run(job: Claimed, release: () => void): Promise<Due | undefined>;
  /** Schedules the reminder of a job that is due again and that ran without a reminder. */
  setReminder(due: Due): void;
  /**
   * Reports that a job which ran without a reminder could not be completed. Another worker takes it when its hold
   * expires.
   */
  onError(error: unknown): void;
}

export interface Intake {
  /**
   * Handles a reminder. Returns the next due time of its job, or undefined if the job is done or belongs to another
   * worker.
   */
  remind(id: string): Promise<Due | undefined>;
  /** Accepts no more jobs, and answers reminders without a job in progress. */
  stop(): void;
  /** Resolves once no job is in progress. */
  idle(): Promise<void>;
}

/** Tracks pending reminders by job. */
function createReminders() {
  const reminders = new Map<string, PromiseWithResolvers<Due | undefined>>();
  return {
    of(id: string) {
      const reminder = reminders.get(id) ?? Promise.withResolvers<Due | undefined>();
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
export function createIntake(options: IntakeOptions): Intake {
  const { concurrency, claim, look, run } = options;
  const reminders = createReminders();
  const underWay = new Set<string>();
  const heldAnswers: (() => void)[] = [];
  const idle: (() => void)[] = [];
  let begun = 0;
  let stopped = false;
  /** True if more jobs were due than could start at the last check. */
  let full = false;
  /** True if nothing can start before a job is released. */
  let blocked = false;
  let pulling = false;
  let again = false;

  const end = (id: string, due: Due | undefined) => {
    const reminder = reminders.take(id);
    if (!reminder) {
      if (due) options.setReminder(due);
    } else if (full && !stopped) heldAnswers.push(() => reminder.resolve(due));
    else reminder.resolve(due);
  };

  const begin = async (job: Claimed) => {
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
      if (underWay.size === 0) for (const tell of idle.splice(0)) tell();
    }
  };

  const answerHeld = () => {
    for (const answer of heldAnswers.splice(0)) answer();
  };

  const waitingIds = () => reminders.ids().filter((id) => !underWay.has(id));

  /**
   * Answers the remaining reminders once all due jobs have started: theirs are not due yet, gone, or held by another
   * worker.
   */
  const settle = async () => {
    answerHeld();
    const ids = waitingIds();
    if (ids.length === 0) return;
    const waiting = await look(ids);
    for (const id of ids) reminders.take(id)?.resolve(waiting.get(id));
  };

  const handOut = async () => {
    const free = Math.min(concurrency - begun, mostAtOnce);
    if (free <= 0) {
      blocked = true;
      return;
    }
    const jobs = await claim(free);
    full = jobs.length === free;
    for (const job of jobs) void begin(job);
    if (full) again = true;
    else await settle();
  };

  const drain = async () => {
    try {
      while (again && !stopped) {
        // Lets reminders from the same socket read join.
        await new Promise(setImmediate);
        again = false;
        blocked = false;
        await handOut();
      }
    } catch (error) {
      full = false;
      answerHeld();
      // BullMQ forgets failed jobs; the sweep restores them.
      for (const id of waitingIds()) reminders.take(id)?.reject(error);
    } finally {
      pulling = false;
    }
  };

  function pull() {
    again = true;
    if (pulling || stopped) return;
    pulling = true;
    void untraced(drain);
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
      answerHeld();
      for (const id of waitingIds()) reminders.take(id)?.resolve({ id, queue: '', leftMs: 0 });
    },
    idle: () => (underWay.size === 0 ? Promise.resolve() : new Promise((resolve) => void idle.push(resolve))),
  };
}
