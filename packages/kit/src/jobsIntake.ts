import type { Claimed, Due } from './jobsTable.ts';
import { untraced } from './tracing.ts';

/** Rows of one statement. */
const mostAtOnce = 500;

export interface IntakeOptions {
  /** Jobs that may be under way at once. */
  concurrency: number;
  /** Takes up to so many rows that are due, the oldest first. */
  claim(limit: number): Promise<Claimed[]>;
  /** Of these, those that wait for their time, and until when. */
  look(ids: readonly string[]): Promise<Map<string, Due>>;
  /** Does a job; `release` lets the next begin before this one has ended. Answers when it is due again. */
  run(job: Claimed, release: () => void): Promise<Due | undefined>;
  /** Of a job that is due again and of which nobody was reminded: its reminder is set. */
  setReminder(due: Due): void;
  /** A job of which nobody was reminded could not be ended; another takes it once its hold is over. */
  onError(error: unknown): void;
}

export interface Intake {
  /** A reminder came. Answers when its job is due again, if it is, and nothing where that is done or somebody else's. */
  remind(id: string): Promise<Due | undefined>;
  /** Takes nothing more, and lets reminders go that nothing is under way for. */
  stop(): void;
  /** Holds once nothing is under way. */
  idle(): Promise<void>;
}

/** Who is to be told of which job. */
function createReminders() {
  const reminders = new Map<string, PromiseWithResolvers<Due | undefined>>();
  return {
    of(id: string) {
      const reminder = reminders.get(id) ?? Promise.withResolvers<Due | undefined>();
      reminders.set(id, reminder);
      return reminder;
    },
    /** It is told once, and no longer waited for. */
    take(id: string) {
      const reminder = reminders.get(id);
      reminders.delete(id);
      return reminder;
    },
    ids: () => [...reminders.keys()],
  };
}

/**
 * What fires in Redis says that something is due; PostgreSQL says what. One reminder has all that is due handed out, a
 * statement for as many as can begin, so what fell due together does not wait for as many reminders. Those that come
 * later find their jobs done. While there is more than can begin none of them is answered, for taking the next from Redis
 * costs as much as doing a job.
 */
export function createIntake(options: IntakeOptions): Intake {
  const { concurrency, claim, look, run } = options;
  const reminders = createReminders();
  const underWay = new Set<string>();
  const heldAnswers: (() => void)[] = [];
  const idle: (() => void)[] = [];
  let begun = 0;
  let stopped = false;
  /** More was due than could begin, when last looked. */
  let full = false;
  /** Nothing can begin before something is released. */
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

  /** All that was due has begun: what else somebody was reminded of is not due yet, gone, or another's. */
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
        // Reminders that came with the same read of a socket go along.
        await new Promise(setImmediate);
        again = false;
        blocked = false;
        await handOut();
      }
    } catch (error) {
      full = false;
      answerHeld();
      // BullMQ forgets what fails; the sweep brings it back.
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
