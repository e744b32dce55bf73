import type { Knex } from 'knex';
import { Gauge, type Registry } from 'prom-client';
import type { Bus } from './bus.ts';
import { fail } from './errors.ts';
import { wakeSubject } from './eventTables.ts';
import type { Log } from './log.ts';
import { askedAtScrape } from './scrape.ts';

/** `nolo.kit.v1.EventLogService`, which stands in the protos and is bound to this by the service. */
export interface ReadEventsRequest {
  after: number;
  subjects: string[];
  limit: number;
}

export interface LoggedEvent {
  position: number;
  id: string;
  subject: string;
  key: string;
  payload: string;
  createdAt: Date | undefined;
  traceparent: string;
}

export interface ReadEventsReply {
  events: LoggedEvent[];
  position: number;
  lastPosition: number;
  sweptPosition: number;
}

export interface EventLogOptions {
  db: Knex;
  /** The service's name: whose events these are. */
  source: string;
  bus: Pick<Bus, 'publish'>;
  log: Log;
  metrics?: Registry;
  /** Where gauges are counted; `db` unless told. */
  scrapeDb?: Knex | undefined;
  /** How long events are kept. */
  keptDays: number;
  /** How long an event waits whose wake-up was lost; thirty seconds unless told. */
  pollMs?: number;
}

export interface EventLog {
  /** For rpcService(EventLogServiceService, …). */
  handlers: { readEvents(request: ReadEventsRequest): Promise<ReadEventsReply> };
  start(): void;
  /** Called after a commit that may have written events. */
  wake(): void;
  /** Idempotent. */
  stop(): Promise<void>;
}

const placedAtOnce = 1_000;
const sweptAtOnce = 500;
const sweepEveryMs = 3_600_000;

/** A busy service wakes its log with every message, and events are few. */
const restMs = 50;

/**
 * Between two looks that nobody asked for, each of which tells who reads how far the log goes: what a process that died
 * between its commit and its wake-up costs an event, and so does a word on the bus that was lost.
 */
const usualPollMs = 30_000;

/** How far one read looks, whatever it finds. */
const readWindow = 10_000;
const mostRead = 200;
const mostSubjects = 50;

/** A reply stays well below what a message may hold. */
const replyBytes = 2 * 1024 * 1024;

/**
 * Gives those events their places that are committed, in the order in which they were written, one process at a time: the
 * row of the log is locked first, and what is there is looked up after that. A transaction that is still open is passed
 * over and gets a later place; so nothing ever appears below a place that somebody has read up to.
 */
async function place(db: Knex): Promise<number> {
  return await db.transaction(async (trx) => {
    const locked = (await trx.raw(
      `select last_position from event_log where exists (select from events where position is null) for update`,
    )) as { rows: unknown[] };
    if (locked.rows.length === 0) return 0;
    const { rowCount } = (await trx.raw(
      `with waiting as materialized (
        select written, row_number() over (order by written) as nth
        from (select written from events where position is null order by written limit ${placedAtOnce}) w
      ), moved as (
        update event_log set last_position = last_position + (select count(*) from waiting)
        returning last_position - (select count(*) from waiting) as base
      )
      update events e set position = m.base + w.nth from waiting w cross join moved m where e.written = w.written`,
    )) as { rowCount: number };
    return rowCount;
  });
}

/** What is too old goes, from the beginning on. Answers whether there may be more. */
async function sweep(db: Knex, keptDays: number): Promise<boolean> {
  const { rows } = (await db.raw(
    `with oldest as (
      select position, created_at from events where position is not null order by position limit ${sweptAtOnce}
    ), gone as (
      delete from events where position in (
        select position from oldest where created_at < now() - ? * interval '1 day')
      returning position
    )
    update event_log set swept_position = greatest(swept_position, (select max(position) from gone))
    where exists (select from gone)
    returning (select count(*)::int from gone) as count`,
    [keptDays],
  )) as { rows: { count: number }[] };
  return (rows[0]?.count ?? 0) === sweptAtOnce;
}

/** As many from the beginning as fit into a reply, and one at least. */
function fitting(events: readonly LoggedEvent[]): LoggedEvent[] {
  let bytes = 0;
  const count = events.findIndex((event, index) => {
    bytes += Buffer.byteLength(event.payload);
    return index > 0 && bytes > replyBytes;
  });
  return count === -1 ? [...events] : events.slice(0, count);
}

/** Reads a part of the log; see proto/nolo/kit/v1/events.proto. */
async function read(db: Knex, { after, subjects, limit }: ReadEventsRequest): Promise<ReadEventsReply> {
  const { rows: logs } = (await db.raw('select last_position, swept_position from event_log')) as {
    rows: [{ last_position: number; swept_position: number }];
  };
  const { last_position: lastPosition, swept_position: sweptPosition } = logs[0];
  const from = Math.max(after, sweptPosition);
  const upTo = Math.min(lastPosition, from + readWindow);
  const most = Math.min(Math.max(1, limit), mostRead);
  const { rows } = (await db.raw(
    `select position, id, subject, key, payload::text as payload, created_at as "createdAt",
      coalesce(traceparent, '') as traceparent
    from events where position > ? and position <= ? and subject = any(?::text[]) order by position limit ?`,
    [from, upTo, subjects, most],
  )) as { rows: LoggedEvent[] };
  const events = fitting(rows);
  const isWhole = events.length === rows.length && rows.length < most;
  const position = isWhole ? Math.max(after, upTo) : (events.at(-1)?.position ?? after);
  return { events, position, lastPosition, sweptPosition };
}

function watchLog(db: Knex, registry: Registry): void {
  const ask = askedAtScrape(async () => {
    const { rows } = (await db.raw(
      `select extract(epoch from clock_timestamp() - created_at)::float8 as seconds
      from events where position is null order by written limit 1`,
    )) as { rows: { seconds: number }[] };
    return Math.max(0, rows[0]?.seconds ?? 0);
  });
  new Gauge({
    name: 'nolo_event_log_waiting_seconds',
    help: 'Age of the oldest event of the service that nobody can read yet; 0 where there is none.',
    registers: [registry],
    async collect() {
      const seconds = await ask();
      if (seconds === undefined) this.remove();
      else this.set(seconds);
    },
  });
}

/** The log of a service's own events: gives them their places, wakes whoever reads, and answers them. */
export function createEventLog(options: EventLogOptions): EventLog {
  const { db, source, bus, log } = options;
  if (options.metrics) watchLog(options.scrapeDb ?? db, options.metrics);
  const pollMs = options.pollMs ?? usualPollMs;
  let stopped = false;
  let woken = false;
  let running: Promise<void> | undefined;
  let endWait: (() => void) | undefined;
  let sweptAt = 0;
  let beatAt = -pollMs;

  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const settle = async () => {
    const { rows } = (await db.raw(
      `select exists (select from events where position is null) as "isNew",
        (select last_position from event_log) as position`,
    )) as { rows: [{ isNew: boolean; position: number }] };
    const { isNew, position } = rows[0];
    let placed = 0;
    while (isNew) {
      const count = await place(db);
      placed += count;
      if (count < placedAtOnce || stopped) break;
    }
    // Where others put some in meanwhile, they tell of them.
    if (placed > 0) bus.publish(wakeSubject(source), {});
    else if (performance.now() - beatAt >= pollMs) {
      bus.publish(wakeSubject(source), { position });
      beatAt = performance.now();
    }
  };

  const run = async () => {
    let failures = 0;
    while (!stopped) {
      woken = false;
      try {
        await settle();
        if (performance.now() - sweptAt > sweepEveryMs || sweptAt === 0) {
          if (!(await sweep(db, options.keptDays))) sweptAt = performance.now();
        }
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1) log.warn({ err: error }, 'events cannot be put into the log; trying again');
      }
      const usual = woken && failures === 0 ? 0 : pollMs;
      if (!stopped && usual > 0) await wait(usual);
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, restMs));
    }
  };

  return {
    handlers: {
      async readEvents(request) {
        const { after, subjects } = request;
        if (after < 0 || subjects.length === 0 || subjects.length > mostSubjects) {
          throw fail('invalid', 'invalid_request', 'The events cannot be read like this.');
        }
        await settle();
        return await read(db, request);
      },
    },
    start: () => void (running ??= run()),
    wake: () => {
      woken = true;
      endWait?.();
    },
    stop: async () => {
      stopped = true;
      endWait?.();
      await running;
    },
  };
}
