import type { Knex } from 'knex';

/** A job that fires by so little too early is waited for instead of being put back. */
export const earlyMs = 100;

/** For a service's migration. A row stays until its job is done; then it goes, or begins anew where it repeats. */
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

/** For services whose table was made before queues were handed out in the order in which they are due; outside a transaction. */
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
  /** At once unless told. */
  dueAt: Date | undefined;
  everyMs: number | undefined;
  traceparent: string | undefined;
}

/** A job and how long, by the clock of PostgreSQL, until it is due: no two processes have to agree on the time. */
export interface Due {
  id: string;
  queue: string;
  leftMs: number;
}

export interface Claimed extends Due {
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

/** What is to become of a job whose worker died. */
export interface Rescue {
  queue: string;
  attempts: number;
  parks: boolean;
}

export interface JobCount {
  queue: string;
  state: 'waiting' | 'late' | 'active' | 'parked';
  count: number;
  /** How long the oldest of them has been due. */
  seconds: number;
}

export interface HeldCount {
  queue: string;
  code: string;
  count: number;
}

const left = (column: string) => `extract(epoch from ${column} - clock_timestamp())::float8 * 1000 as "leftMs"`;
const time = (date: Date | undefined) => date?.toISOString() ?? null;
const rowsOf = <T>(result: unknown): T[] => (result as { rows: T[] }).rows;
const later = (ms = '?') => `clock_timestamp() + ${ms}::float8 * interval '1 millisecond'`;

/** Every number counts no further than this; beyond it an exact one tells nobody more. */
const mostCounted = 100_000;

/** Adds rows; those that are there already stay as they are, unless they repeat and are to do so differently. */
export async function insertJobs(trx: Knex, jobs: readonly NewJob[]): Promise<Due[]> {
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

/** Moves a job that nobody has under way to another time; undefined where there is none. */
export async function moveJob(trx: Knex, id: string, dueAt: Date): Promise<Due | undefined> {
  const [moved] = rowsOf<Due>(
    await trx.raw(
      `update jobs set due_at = ? where id = ? and state = 'waiting' returning id, queue, ${left('due_at')}`,
      [time(dueAt), id],
    ),
  );
  return moved;
}

/** Takes a job away that nobody has under way; false where there is none. */
export async function deleteJob(trx: Knex, id: string): Promise<boolean> {
  return (await trx('jobs').where({ id }).whereNot({ state: 'active' }).delete()) > 0;
}

/** A worker, and how long it may say nothing of a job that it has under way before another takes it. */
export interface Holder {
  readonly id: string;
  readonly holdMs: number;
}

/** Takes so many rows of a queue that are due, or nearly, for a worker: the oldest first, and each for one of all workers. */
export async function claimDue(
  db: Knex,
  { id: worker, holdMs }: Holder,
  queue: string,
  limit: number,
): Promise<Claimed[]> {
  return rowsOf(
    await db.raw(
      `with wanted as materialized (
         select id from jobs where queue = ? and state = 'waiting' and due_at <= ${later(String(earlyMs))}
         order by due_at, id limit ? for update skip locked
       )
       update jobs set state = 'active', held_by = ?, held_until = ${later()}, attempts = attempts + 1
       from wanted where jobs.id = wanted.id
       returning jobs.id, queue, ${left('due_at')}, payload, attempts, every_ms is not null as repeats, traceparent`,
      [queue, limit, worker, holdMs],
    ),
  );
}

/** Of these, those that wait for their time. What somebody is about to take or to move counts as theirs. */
export async function lookJobs(db: Knex, ids: readonly string[]): Promise<Map<string, Due>> {
  const found = rowsOf<Due>(
    await db.raw(
      `select id, queue, ${left('due_at')} from jobs where id = any(?::uuid[]) and state = 'waiting'
       order by id for update skip locked`,
      [[...ids]],
    ),
  );
  return new Map(found.map((due) => [due.id, due]));
}

/** Ends jobs of this worker; answers with those that still were its own. What repeats is due again, without making up for times that were missed. */
export async function finishJobs(db: Knex, worker: string, ids: readonly string[]): Promise<Map<string, Due | null>> {
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

export interface Release {
  failure: string;
  /** When it is tried again; not at all where it is parked. */
  afterMs: number | undefined;
  /** Whether the attempt that ended does not count. */
  uncounted?: boolean;
  /** Whether the job waits for somebody else, as a HoldJob says. */
  held?: boolean;
}

/** Stands before the reason of a job that is held, and of no other. */
const heldPrefix = 'held:';

/** Gives up a job of this worker for a while, or for good; false where it is not its own any more. */
export async function releaseJob(
  db: Knex,
  worker: string,
  id: string,
  { failure, afterMs, uncounted, held }: Release,
): Promise<boolean> {
  const [released] = rowsOf(
    await db.raw(
      `update jobs set state = ?, failure = ?, held_by = null, held_until = null, attempts = attempts - ?::int,
         due_at = case when ?::float8 is null then due_at else ${later()} end
       where id = ? and held_by = ? returning id`,
      [
        afterMs === undefined ? 'parked' : 'waiting',
        held ? `${heldPrefix}${failure}` : failure,
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

/** A worker says that it still has these; answers with those that it has. */
export async function holdJobs(db: Knex, { id: worker, holdMs }: Holder, ids: readonly string[]): Promise<Set<string>> {
  const held = rowsOf<{ id: string }>(
    await db.raw(
      // In the order in which others that end them take them, or each waits for the other.
      `with mine as materialized (
         select id from jobs where id = any(?::uuid[]) and held_by = ? order by id for update
       )
       update jobs set held_until = ${later()} from mine where jobs.id = mine.id returning jobs.id`,
      [[...ids], worker, holdMs],
    ),
  );
  return new Set(held.map(({ id }) => id));
}

/** Jobs of workers that have said nothing for too long: those that may be tried again wait, the others are parked. */
export async function rescueJobs(
  db: Knex,
  policies: readonly Rescue[],
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

/** Whether anything is under way, or due within `withinMs`. */
export async function areJobsNear(db: Knex, queues: readonly string[], withinMs: number): Promise<boolean> {
  const [answer] = rowsOf<{ near: boolean }>(
    await db.raw(
      `select exists (select from jobs where state = 'active') or exists (
         select from jobs where state = 'waiting' and queue = any(?::text[]) and due_at <= ${later()}) as near`,
      [[...queues], withinMs],
    ),
  );
  return answer?.near ?? false;
}

/** A page of what is due of a queue within `withinMs`, in the order in which it is. */
export async function listDue(
  db: Knex,
  queue: string,
  withinMs: number,
  limit: number,
  after?: { id: string; dueAt: string },
): Promise<(Due & { dueAt: string })[]> {
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

/** By hand: a parked job begins anew, now. */
export async function retryJob(db: Knex, id: string): Promise<Due | undefined> {
  const [retried] = rowsOf<Due>(
    await db.raw(
      `update jobs set state = 'waiting', attempts = 0, due_at = clock_timestamp()
       where id = ? and state = 'parked' returning id, queue, ${left('due_at')}`,
      [id],
    ),
  );
  return retried;
}

/** By hand: a parked job is given up. What repeats is due again, as after a time that went well; all else goes. */
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

/** What is due for longer than `lateMs` and not under way counts as late, and so does what should be over. */
export async function countJobs(db: Knex, lateMs: number): Promise<JobCount[]> {
  return rowsOf(
    await db.raw(
      `select queue, shown as state, count(*)::int as count,
         greatest(0, extract(epoch from clock_timestamp() - min(due_at)))::float8 as seconds
       from (
         select queue, due_at, case when state = 'waiting' and due_at < ${later('-?::float8')} then 'late' else state end as shown
         from jobs limit ${mostCounted}
       ) as counted group by queue, shown`,
      [lateMs],
    ),
  );
}

/** A job is held for less than this at a time; those that wait longer need not be read to count the held ones. */
const longestHoldMs = 60_000;

/** Jobs that are held, one that is just being tried again among them. */
export async function countHeld(db: Knex): Promise<HeldCount[]> {
  return rowsOf(
    await db.raw(
      `select queue, substr(failure, ${heldPrefix.length + 1}) as code, count(*)::int as count
       from (
         select queue, failure from jobs
         where state <> 'parked' and failure like '${heldPrefix}%' and due_at < ${later()}
         limit ${mostCounted}
       ) as counted group by queue, failure`,
      [longestHoldMs],
    ),
  );
}
