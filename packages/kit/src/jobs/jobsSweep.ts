import type { Redis } from 'ioredis';
import type { Knex } from 'knex';
import { reminderHorizonMs, type JobReminders } from './jobsReminders.ts';
import type { JobQueue } from './jobsQueue.ts';
import { hasJobsSoon, listDue, rescueJobs } from './jobsTable.ts';
import type { Log } from '../telemetry/log.ts';
import { withoutSpan } from '../telemetry/tracing.ts';

export interface JobSweepOptions {
  db: Knex;
  redis: Redis;
  prefix: string;
  log: Log;
  everyMs: number;
  /** Queues that this process works on: only their workers know how to treat their jobs. */
  queues: () => readonly JobQueue<unknown>[];
  clockOf: (queue: string) => JobReminders;
}

/** Rows per query, and queries per sweep, so that it ends. */
const sweepPage = 1_000;
const maxPagesPerSweep = 100;

/** Turns skipped after a sweep that found nothing due soon: a job written meanwhile is known to its writer. */
const skippedTurnsAfterIdle = 2;

/** Periodically looks for rows that Redis does not know, or whose worker died. */
export class JobSweep {
  readonly #options: JobSweepOptions;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #failing = false;
  /** Remaining turns to skip. */
  #quiet = 0;

  constructor(options: JobSweepOptions) {
    this.#options = options;
  }

  start(): void {
    const sweepUnlessRunning = () => void (this.#sweeping ??= this.#turn().finally(() => (this.#sweeping = undefined)));
    this.#timer = withoutSpan(() => setInterval(sweepUnlessRunning, this.#options.everyMs)).unref();
  }

  /** Ends the skipping of turns, because a job was written. */
  endQuietPeriod(): void {
    this.#quiet = 0;
  }

  /** Waits for the sweep in progress. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweeping;
  }

  async #turn(): Promise<void> {
    if (this.#quiet > 0) {
      this.#quiet -= 1;
      return;
    }
    try {
      if (await this.#mayHaveTurn()) await this.#sweep();
      this.#failing = false;
    } catch (error) {
      // A single log entry for each outage.
      if (!this.#failing) this.#options.log.warn({ err: error }, 'job sweep failed; retrying');
      this.#failing = true;
    }
  }

  /**
   * Returns true if this replica may sweep now, among those that work on the same queues. Otherwise several would
   * repeat the same work. If Redis loses the lease, two may sweep, which is harmless.
   */
  async #mayHaveTurn(): Promise<boolean> {
    const { redis, prefix, everyMs } = this.#options;
    const lease = `${prefix}:sweep:${this.#names().sort().join(',')}`;
    return redis.status === 'ready' && (await redis.set(lease, '1', 'PX', everyMs * 0.9, 'NX')) === 'OK';
  }

  async #sweep(): Promise<void> {
    const { db, log, queues, clockOf } = this.#options;
    if (!(await hasJobsSoon(db, this.#names(), reminderHorizonMs))) {
      this.#quiet = skippedTurnsAfterIdle;
      return;
    }
    const policies = queues().map(({ name, attempts, whenInterrupted }) => ({
      queue: name,
      attempts,
      parks: whenInterrupted === 'park',
    }));
    const rescued = await rescueJobs(db, policies, sweepPage);
    // Redis still considers them active, and would notice only later.
    for (const { queue, id } of rescued) await clockOf(queue).forget(id);
    let mended = 0;
    for (const queue of this.#names()) mended += await this.#mend(queue);
    if (rescued.length > 0) log.warn({ jobs: rescued.length }, 'jobs of a dead worker released for retry');
    if (mended > 0) log.info({ jobs: mended }, 'jobs missing in Redis restored');
  }

  /** Repairs the jobs of a queue that Redis lacks. Returns the number repaired. */
  async #mend(queue: string): Promise<number> {
    const { db, clockOf } = this.#options;
    let mended = 0;
    let last: { id: string; dueAt: string } | undefined;
    for (let page = 0; page < maxPagesPerSweep; page += 1) {
      const due = await listDue(db, queue, reminderHorizonMs, sweepPage, last);
      if (due.length > 0) mended += await clockOf(queue).mend(due);
      last = due.at(-1);
      if (due.length < sweepPage) break;
    }
    return mended;
  }

  #names(): string[] {
    return this.#options.queues().map(({ name }) => name);
  }
}
