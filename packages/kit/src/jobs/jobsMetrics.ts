import type { Knex } from 'knex';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { countJobsOnHold, countJobs, type JobCount } from './jobsTable.ts';
import { sampleOnScrape } from '../telemetry/scrape.ts';

/** Lateness in milliseconds beyond the time the sweep needs to find a row without a job. */
const lateMs = 30_000;

export interface JobMeters {
  lateness: Histogram<'queue'>;
  seconds: Histogram<'queue'>;
  ended: Counter<'queue' | 'result'>;
}

/** Creates metrics. They query the table at each scrape, so every replica of a service reports the same state. */
export function createJobMeters(db: Knex, registry: Registry, queues: () => Iterable<string>): JobMeters {
  const registers = [registry];
  const sample = sampleOnScrape(() => countJobs(db, lateMs));
  const show = async (gauge: Gauge<'queue' | 'state'>, valueOf: (found: JobCount | undefined) => number) => {
    gauge.reset();
    const counts = await sample();
    // Includes processes without workers; otherwise the lack of a worker would go unnoticed.
    for (const queue of new Set([...(counts ? queues() : []), ...(counts ?? []).map((one) => one.queue)])) {
      for (const state of ['waiting', 'late', 'active', 'parked'] as const) {
        gauge.set({ queue, state }, valueOf(counts?.find((one) => one.queue === queue && one.state === state)));
      }
    }
  };
  new Gauge({
    name: 'nolo_jobs',
    help: 'Jobs by queue and state: waiting until due, late (due for 30 s and not started), active, or parked.',
    labelNames: ['queue', 'state'],
    registers,
    collect() {
      return show(this, (found) => found?.count ?? 0);
    },
  });
  new Gauge({
    name: 'nolo_jobs_oldest_seconds',
    help: 'Time since the oldest job in that state became due, in seconds; 0 if none.',
    labelNames: ['queue', 'state'],
    registers,
    collect() {
      return show(this, (found) => found?.seconds ?? 0);
    },
  });
  const sampleOnHold = sampleOnScrape(() => countJobsOnHold(db));
  new Gauge({
    name: 'nolo_jobs_held',
    help: 'Jobs on hold until another service answers or an operator allows them, by queue and reason; holding counts no attempt.',
    labelNames: ['queue', 'code'],
    registers,
    async collect() {
      this.reset();
      for (const { queue, code, count } of (await sampleOnHold()) ?? []) this.set({ queue, code }, count);
    },
  });
  const buckets = [0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
  return {
    lateness: new Histogram({
      name: 'nolo_job_lateness_seconds',
      help: 'Delay between the due time of a job and its start, in seconds.',
      labelNames: ['queue'],
      buckets,
      registers,
    }),
    seconds: new Histogram({
      name: 'nolo_job_seconds',
      help: 'Duration of job attempts, including failed ones, in seconds.',
      labelNames: ['queue'],
      buckets,
      registers,
    }),
    ended: new Counter({
      name: 'nolo_job_attempts_total',
      help: 'Job attempts by result: done, failed (retried), parked, or lost (taken over by another worker).',
      labelNames: ['queue', 'result'],
      registers,
    }),
  };
}
