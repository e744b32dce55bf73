import type { Knex } from 'knex';
import { Gauge, type Registry } from 'prom-client';
import type { Bus } from '../bus/bus.ts';
import { createAppError } from '../errors.ts';
import { wakeSubjectOf } from './eventTables.ts';
import type { Log } from '../telemetry/log.ts';
import { sampleOnScrape } from '../telemetry/scrape.ts';

/** `nolo.kit.v1.EventLogService`, which is defined in the protos and bound to this by the service. */
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
  /** Name of the service that owns the events. */
  source: string;
  bus: Pick<Bus, 'publish'>;
  log: Log;
  metrics?: Registry;
  /** Database for gauges. Default: `db`. */
  scrapeDb?: Knex | undefined;
  /** Retention of events in days. */
  keptDays: number;
  /** Maximum delay of an event whose wake-up was lost. Default: thirty seconds. */
  pollMs?: number;
}

export interface EventLog {
  /** Handlers for bindRpcService(EventLogServiceDefinition, …). */
  handlers: { readEvents(request: ReadEventsRequest): Promise<ReadEventsReply> };
  start(): void;
  /** Triggers a check after a commit that may have written events. */
  wake(): void;
  /** Idempotent. */
  stop(): Promise<void>;
}

const placedAtOnce = 1_000;
const sweptAtOnce = 500;
const sweepEveryMs = 3_600_000;

/** Minimum pause between checks: a busy service wakes its log with every message, but events are few. */
const restMs = 50;

/**
 * Interval between unprompted checks, each of which reports the log's position to readers. Maximum delay of an event if
 * a process died between commit and wake-up, or if a message on the bus was lost.
 */
const defaultPollMs = 30_000;

/** Number of positions that one read covers, regardless of what it finds. */
const readWindow = 10_000;
const maxEventsPerRead = 200;
const maxSubjectsPerRead = 50;

/** Maximum size of a reply, well below the message limit. */
const replyBytes = 2 * 1024 * 1024;

/**
 * Assigns positions to committed events, in the order in which they were written. Only one process at a time does so:
 * it locks the log's row first and looks up events afterwards. A transaction that is still open is skipped and gets a
 * later position, so nothing ever appears below a position that a reader has passed.
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

/** Deletes expired events from the beginning. Returns true if more may remain. */
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

/** Returns as many of the first events as fit into a reply, and at least one. */
function fitting(events: readonly LoggedEvent[]): LoggedEvent[] {
  let bytes = 0;
  const count = events.findIndex((event, index) => {
    bytes += Buffer.byteLength(event.payload);
    return index > 0 && bytes > replyBytes;
  });
  return count === -1 ? [...events] : events.slice(0, count);
}

/** Reads a range of the log; see proto/nolo/kit/v1/events.proto. */
async function read(db: Knex, { after, subjects, limit }: ReadEventsRequest): Promise<ReadEventsReply> {
  const { rows: logs } = (await db.raw('select last_position, swept_position from event_log')) as {
    rows: [{ last_position: number; swept_position: number }];
  };
  const { last_position: lastPosition, swept_position: sweptPosition } = logs[0];
  const from = Math.max(after, sweptPosition);
  const upTo = Math.min(lastPosition, from + readWindow);
  const maxRows = Math.min(Math.max(1, limit), maxEventsPerRead);
  const { rows } = (await db.raw(
    `select position, id, subject, key, payload::text as payload, created_at as "createdAt",
      coalesce(traceparent, '') as traceparent
    from events where position > ? and position <= ? and subject = any(?::text[]) order by position limit ?`,
    [from, upTo, subjects, maxRows],
  )) as { rows: LoggedEvent[] };
  const events = fitting(rows);
  const isWhole = events.length === rows.length && rows.length < maxRows;
  const position = isWhole ? Math.max(after, upTo) : (events.at(-1)?.position ?? after);
  return { events, position, lastPosition, sweptPosition };
}

function watchLog(db: Knex, registry: Registry): void {
  const sample = sampleOnScrape(async () => {
    const { rows } = (await db.raw(
      `select extract(epoch from clock_timestamp() - created_at)::float8 as seconds
      from events where position is null order by written limit 1`,
    )) as { rows: { seconds: number }[] };
    return Math.max(0, rows[0]?.seconds ?? 0);
  });
  new Gauge({
    name: 'nolo_event_log_waiting_seconds',
    help: 'Age of the oldest event of the service that is not readable yet, in seconds; 0 if none.',
    registers: [registry],
    async collect() {
      const seconds = await sample();
      if (seconds === undefined) this.remove();
      else this.set(seconds);
    },
  });
}

/** Creates the log of a service's own events, which assigns positions, wakes readers, and answers their reads. */
export function createEventLog(options: EventLogOptions): EventLog {
  const { db, source, bus, log } = options;
  if (options.metrics) watchLog(options.scrapeDb ?? db, options.metrics);
  const pollMs = options.pollMs ?? defaultPollMs;
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
    // Processes that assign positions in the meantime notify readers themselves.
    if (placed > 0) bus.publish(wakeSubjectOf(source), {});
    else if (performance.now() - beatAt >= pollMs) {
      bus.publish(wakeSubjectOf(source), { position });
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
        if (failures === 1) log.warn({ err: error }, 'writing events to the log failed; retrying');
      }
      const pauseMs = woken && failures === 0 ? 0 : pollMs;
      if (!stopped && pauseMs > 0) await wait(pauseMs);
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, restMs));
    }
  };

  return {
    handlers: {
      async readEvents(request) {
        const { after, subjects } = request;
        if (after < 0 || subjects.length === 0 || subjects.length > maxSubjectsPerRead) {
          throw createAppError('invalid', 'invalid_request', 'The request is invalid. Check after and subjects.');
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
