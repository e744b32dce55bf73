import type { Knex } from 'knex';

/** Milliseconds by which a job may fire early and be waited for, instead of being put back. */
const earlyToleranceMs = 100;

/** Migration step of a service. A row stays until its job is done; then it is deleted, or restarts if it repeats. */
export async function createJobsTable(db: Knex): Promise<void> {
  await db.raw(`
    create table jobs (
      id uuid primary key,
      queue text not null,
      payload jsonb not null,
      due_at timestamptz not null,
      state text not null default 'waiting' check (state in ('waiting', 'active', 'parked')),
      attempts integer not null default 0,
      held_by uuid,
      held_until timestamptz,
      every_ms bigint,
      failure text,
      traceparent text,
      created_at timestamptz not null default now()
    );
    comment on column jobs.attempts is 'How often it was begun since it was added or retried by hand.';
    comment on column jobs.held_by is 'The worker that has it under way, which keeps moving held_until.';
    comment on column jobs.every_ms is 'For what repeats: milliseconds from one time to the next.';
    comment on column jobs.failure is 'Why the last attempt failed: a code, never a message.';
    create index jobs_held on jobs (held_until) where state = 'active';
    create index jobs_parked on jobs (queue, id) where state = 'parked';
  `);
  await indexJobsByQueue(db);
}

/** Migration step for services whose table predates queues in order of due time; runs outside a transaction. */
export async function indexJobsByQueue(db: Knex): Promise<void> {
  const online = db.isTransaction ? '' : 'concurrently';
  await db.raw(
    `create index ${online} if not exists jobs_due_by_queue on jobs (queue, due_at, id) where state = 'waiting'`,
  );
  await db.raw(`drop index ${online} if exists jobs_due`);
}

export interface NewJob {
  id: string;
  queue: string;
  payload: unknown;
  /** Undefined: immediately. */
  dueAt: Date | undefined;
  everyMs: number | undefined;
  traceparent: string | undefined;
}

/** Job and its remaining time by the clock of PostgreSQL, so that processes need not agree on the time. */
export interface DueJob {
  id: string;
  queue: string;
  leftMs: number;
}

export interface ClaimedJob extends DueJob {
  payload: unknown;
  attempts: number;
  repeats: boolean;
  traceparent: string | null;
}

export interface ParkedJob {
  id: string;
  queue: string;
  payload: unknown;
  attempts: number;
  failure: string | null;
  dueAt: Date;
}

/** Treatment of jobs whose worker died. */
export interface RescuePolicy {
  queue: string;
  attempts: number;
  parks: boolean;
}

export interface JobCount {
  queue: string;
  state: 'waiting' | 'late' | 'active' | 'parked';
  count: number;
  /** Age of the oldest overdue job. */
  seconds: number;
}

export interface OnHoldCount {
  queue: string;
  code: string;
  count: number;
}

const left = (column: string) => `extract(epoch from ${column} - clock_timestamp())::float8 * 1000 as "leftMs"`;
const time = (date: Date | undefined) => date?.toISOString() ?? null;
const rowsOf = <T>(result: unknown): T[] => (result as { rows: T[] }).rows;
const later = (ms = '?') => `clock_timestamp() + ${ms}::float8 * interval '1 millisecond'`;

/** Cap of every count; beyond it, exact numbers are of no use. */
const maxCountedRows = 100_000;

/** Inserts rows. Existing rows stay unchanged, unless they repeat and their interval or payload changes. */
export async function insertJobs(trx: Knex, jobs: readonly NewJob[]): Promise<DueJob[]> {
  return rowsOf(
    await trx.raw(
      `insert into jobs (id, queue, payload, due_at, every_ms, traceparent)
       select (row->>'id')::uuid, row->>'queue', row->'payload',
         coalesce((row->>'dueAt')::timestamptz, clock_timestamp()), (row->>'everyMs')::bigint, row->>'traceparent'
       from jsonb_array_elements(?::jsonb) as row
       on conflict (id) do update set payload = excluded.payload, every_ms = excluded.every_ms,
         due_at = least(jobs.due_at, ${later('excluded.every_ms')})
       where excluded.every_ms is not null
         and (jobs.every_ms, jobs.payload) is distinct from (excluded.every_ms, excluded.payload)
       returning id, queue, ${left('due_at')}`,
      [JSON.stringify(jobs.map((job) => ({ ...job, dueAt: time(job.dueAt) })))],
    ),
  );
}

/** Reschedules a job that is not in progress. Returns undefined if it does not exist. */
export async function rescheduleJob(trx: Knex, id: string, dueAt: Date): Promise<DueJob | undefined> {
  const [moved] = rowsOf<DueJob>(
    await trx.raw(
      `update jobs set due_at = ? where id = ? and state = 'waiting' returning id, queue, ${left('due_at')}`,
      [time(dueAt), id],
    ),
  );
  return moved;
}

/** Deletes a job that is not in progress. Returns false if it does not exist. */
export async function deleteJob(trx: Knex, id: string): Promise<boolean> {
  return (await trx('jobs').where({ id }).whereNot({ state: 'active' }).delete()) > 0;
}

/** Worker, and the silence after which another worker takes its jobs. */
export interface JobHolder {
  readonly id: string;
  readonly holdMs: number;
}

/**
 * Claims up to `limit` rows of a queue that are due, or nearly due, for a worker: oldest first, and each for only one
 * worker.
 */
export async function claimDue(
  db: Knex,
  { id: worker, holdMs }: JobHolder,
  queue: string,
  limit: number,
): Promise<ClaimedJob[]> {
  return rowsOf(
    await db.raw(
      `with wanted as materialized (
         select id from jobs where queue = ? and state = 'waiting' and due_at <= ${later(String(earlyToleranceMs))}
         order by due_at, id limit ? for update skip locked
       )
       update jobs set state = 'active', held_by = ?, held_until = ${later()}, attempts = attempts + 1
       from wanted where jobs.id = wanted.id
       returning jobs.id, queue, ${left('due_at')}, payload, attempts, every_ms is not null as repeats, traceparent`,
      [queue, limit, worker, holdMs],
    ),
  );
}

/** Returns those of the jobs that are not due yet. Rows locked by another process count as that process's. */
export async function findWaitingJobs(db: Knex, ids: readonly string[]): Promise<Map<string, DueJob>> {
  const found = rowsOf<DueJob>(
    await db.raw(
      `select id, queue, ${left('due_at')} from jobs where id = any(?::uuid[]) and state = 'waiting'
       order by id for update skip locked`,
      [[...ids]],
    ),
  );
  return new Map(found.map((due) => [due.id, due]));
}

/**
 * Finishes jobs of this worker. Returns those that it still held. A repeating job is due again, without making up for
 * missed times.
 */
export async function finishJobs(
  db: Knex,
  worker: string,
  ids: readonly string[],
): Promise<Map<string, DueJob | null>> {
  const finished = rowsOf<{ id: string; queue: string; leftMs: number | null }>(
    await db.raw(
      `with mine as materialized (
         select id, every_ms from jobs where id = any(?::uuid[]) and held_by = ? order by id for update
       ), gone as (
         delete from jobs using mine where jobs.id = mine.id and mine.every_ms is null returning jobs.id, queue
       ), again as (
         update jobs set state = 'waiting', held_by = null, held_until = null, attempts = 0, failure = null,
           due_at = due_at + jobs.every_ms * interval '1 millisecond'
             * greatest(1, ceil(extract(epoch from clock_timestamp() - due_at) * 1000 / jobs.every_ms))
         from mine where jobs.id = mine.id and mine.every_ms is not null returning jobs.id, queue, due_at
       )
       select id, queue, null::float8 as "leftMs" from gone
       union all select id, queue, ${left('due_at')} from again`,
      [[...ids], worker],
    ),
  );
  return new Map(finished.map(({ id, queue, leftMs }) => [id, leftMs === null ? null : { id, queue, leftMs }]));
}

export interface JobRelease {
  failure: string;
  /** Milliseconds until the retry; undefined to park the job. */
  afterMs: number | undefined;
  /** True if the attempt does not count. */
  uncounted?: boolean;
  /** True if the job waits for another service, as with HoldJobError. */
  isOnHold?: boolean;
}

/** Prefix of the reason of held jobs only. */
const onHoldPrefix = 'held:';

/** Gives up a job of this worker temporarily or permanently. Returns false if the worker no longer holds it. */
export async function releaseJob(
  db: Knex,
  worker: string,
  id: string,
  { failure, afterMs, uncounted, isOnHold }: JobRelease,
): Promise<boolean> {
  const [released] = rowsOf(
    await db.raw(
      `update jobs set state = ?, failure = ?, held_by = null, held_until = null, attempts = attempts - ?::int,
         due_at = case when ?::float8 is null then due_at else ${later()} end
       where id = ? and held_by = ? returning id`,
      [
        afterMs === undefined ? 'parked' : 'waiting',
        isOnHold ? `${onHoldPrefix}${failure}` : failure,
        Number(uncounted ?? false),
        afterMs ?? null,
        afterMs ?? 0,
        id,
        worker,
      ],
    ),
  );
  return released !== undefined;
}

/** Renews a worker's hold on jobs. Returns those that it still holds. */
export async function renewJobHolds(
  db: Knex,
  { id: worker, holdMs }: JobHolder,
  ids: readonly string[],
): Promise<Set<string>> {
  const extended = rowsOf<{ id: string }>(
    await db.raw(
      // Locks in the same order as the statements that finish jobs, to avoid deadlocks.
      `with mine as materialized (
         select id from jobs where id = any(?::uuid[]) and held_by = ? order by id for update
       )
       update jobs set held_until = ${later()} from mine where jobs.id = mine.id returning jobs.id`,
      [[...ids], worker, holdMs],
    ),
  );
  return new Set(extended.map(({ id }) => id));
}

/** Takes jobs from workers that were silent for too long: jobs that may be retried wait, the others are parked. */
export async function rescueJobs(
  db: Knex,
  policies: readonly RescuePolicy[],
  limit: number,
): Promise<{ id: string; queue: string }[]> {
  return rowsOf(
    await db.raw(
      `with lost as materialized (
         select id, queue, attempts from jobs where state = 'active' and held_until < clock_timestamp()
         order by held_until limit ? for update skip locked
       )
       update jobs set held_by = null, held_until = null, failure = 'interrupted',
         state = case when policy."parks" or (lost.attempts >= policy."attempts" and every_ms is null)
           then 'parked' else 'waiting' end
       from lost join jsonb_to_recordset(?::jsonb) as policy(queue text, attempts int, parks boolean)
         on policy.queue = lost.queue
       where jobs.id = lost.id returning jobs.id, jobs.queue`,
      [limit, JSON.stringify(policies)],
    ),
  );
}

/** Returns true if any job is in progress, or due within `withinMs`. */
export async function hasJobsSoon(db: Knex, queues: readonly string[], withinMs: number): Promise<boolean> {
  const [answer] = rowsOf<{ near: boolean }>(
    await db.raw(
      `select exists (select from jobs where state = 'active') or exists (
         select from jobs where state = 'waiting' and queue = any(?::text[]) and due_at <= ${later()}) as near`,
      [[...queues], withinMs],
    ),
  );
  return answer?.near ?? false;
}

/** Returns a page of a queue's jobs that are due within `withinMs`, in due order. */
export async function listDue(
  db: Knex,
  queue: string,
  withinMs: number,
  limit: number,
  after?: { id: string; dueAt: string },
): Promise<(DueJob & { dueAt: string })[]> {
  return rowsOf(
    await db.raw(
      `select id, queue, due_at::text as "dueAt", ${left('due_at')} from jobs
       where state = 'waiting' and queue = ? and due_at <= ${later()}
         and (due_at, id) > (coalesce(?::timestamptz, '-infinity'), coalesce(?::uuid, '00000000-0000-0000-0000-000000000000'))
       order by due_at, id limit ?`,
      [queue, withinMs, after?.dueAt ?? null, after?.id ?? null, limit],
    ),
  );
}

export async function listParked(db: Knex, queue: string, limit: number, after?: string): Promise<ParkedJob[]> {
  return await db('jobs')
    .select('id', 'queue', 'payload', 'attempts', 'failure', { dueAt: 'due_at' })
    .where({ queue, state: 'parked' })
    .modify((query) => void (after !== undefined && query.where('id', '>', after)))
    .orderBy('id')
    .limit(limit);
}

/** Restarts a parked job now; manual action. */
export async function retryJob(db: Knex, id: string): Promise<DueJob | undefined> {
  const [retried] = rowsOf<DueJob>(
    await db.raw(
      `update jobs set state = 'waiting', attempts = 0, due_at = clock_timestamp()
       where id = ? and state = 'parked' returning id, queue, ${left('due_at')}`,
      [id],
    ),
  );
  return retried;
}

/** Discards a parked job; manual action. A repeating job is due again, as after a success; others are deleted. */
export async function discardJob(db: Knex, id: string): Promise<boolean> {
  const given = rowsOf(
    await db.raw(
      `with parked as materialized (
         select id, every_ms from jobs where id = ? and state = 'parked' for update
       ), gone as (
         delete from jobs using parked where jobs.id = parked.id and parked.every_ms is null returning jobs.id
       ), again as (
         update jobs set state = 'waiting', attempts = 0, failure = null, due_at = ${later('jobs.every_ms')}
         from parked where jobs.id = parked.id and parked.every_ms is not null returning jobs.id
       )
       select id from gone union all select id from again`,
      [id],
    ),
  );
  return given.length > 0;
}

/** Counts jobs by state. A waiting job that is overdue by more than `lateMs` counts as late. */
export async function countJobs(db: Knex, lateMs: number): Promise<JobCount[]> {
  return rowsOf(
    await db.raw(
      `select queue, shown as state, count(*)::int as count,
         greatest(0, extract(epoch from clock_timestamp() - min(due_at)))::float8 as seconds
       from (
         select queue, due_at, case when state = 'waiting' and due_at < ${later('-?::float8')} then 'late' else state end as shown
         from jobs limit ${maxCountedRows}
       ) as counted group by queue, shown`,
      [lateMs],
    ),
  );
}

/** Upper bound of a single hold. Jobs that are due later need not be read to count the held ones. */
const longestHoldMs = 60_000;

/** Counts held jobs, including ones that are just being retried. */
export async function countJobsOnHold(db: Knex): Promise<OnHoldCount[]> {
  return rowsOf(
    await db.raw(
      `select queue, substr(failure, ${onHoldPrefix.length + 1}) as code, count(*)::int as count
       from (
         select queue, failure from jobs
         where state <> 'parked' and failure like '${onHoldPrefix}%' and due_at < ${later()}
         limit ${maxCountedRows}
       ) as counted group by queue, failure`,
      [longestHoldMs],
    ),
  );
}
