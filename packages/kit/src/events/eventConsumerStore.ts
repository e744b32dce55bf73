import type { Knex } from 'knex';
import type { LoggedEvent } from './eventLog.ts';
import { newId } from '../ids.ts';

/** Event that was set aside, at a retry. */
export interface ParkedEvent extends LoggedEvent {
  attempts: number;
}

/** Silence of a reader after which another replica takes over, and after which its events in progress are retried. */
const leaseMs = 30_000;
const underWayMs = 60_000;

/** Delays before retries. The last one repeats without limit. */
const waitsMs = [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000] as const;

const later = (ms: string) => `clock_timestamp() + ${ms} * interval '1 millisecond'`;

/** Makes the next event of a key due once no other event of the key is being retried. */
export const releaseNextOfKeySql = `update parked_events set next_try_at = clock_timestamp() where (source, id) in (
  select source, id from parked_events p
  where source = ? and key = ? and not exists (
    select from parked_events o where o.source = p.source and o.key = p.key and o.next_try_at is not null)
  order by position, id limit 1)`;

/** Read position of a source, and the replica that holds it. */
interface EventCursor {
  /**
   * Claims the cursor for this replica. Returns its position, or the milliseconds for which another replica still holds
   * it.
   */
  claim(): Promise<{ position: number } | { leaseLeftMs: number }>;
  /** Renews this replica's hold on the cursor. */
  renew(): Promise<void>;
  release(): Promise<void>;
  advance(position: number): Promise<void>;
}

/** Events set aside for a retry. */
interface ParkedEvents {
  /** Returns the keys that have events set aside. */
  blocked(keys: readonly string[]): Promise<Set<string>>;
  /**
   * Sets an event aside: one that failed, one that is in progress or to be tried immediately, or one that waits behind
   * another.
   */
  park(event: LoggedEvent, why: { error: unknown } | 'under_way' | 'now' | 'behind'): Promise<void>;
  /** Takes due events and marks them as in progress. */
  takeDue(limit: number): Promise<ParkedEvent[]>;
  extend(ids: readonly string[]): Promise<void>;
  done(event: Pick<LoggedEvent, 'id' | 'key'>): Promise<void>;
  failed(event: ParkedEvent, error: unknown): Promise<void>;
  /** Releases events that wait behind nothing, because the event before them was deleted. */
  heal(): Promise<void>;
  /** Milliseconds until the next retry; undefined without one. */
  untilNextMs(): Promise<number | undefined>;
}

export interface EventConsumerStore extends EventCursor, ParkedEvents {}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : 'The handler failed without an error.').slice(0, 1_000);
}

const waitAfter = (attempts: number) => waitsMs[Math.min(attempts, waitsMs.length) - 1] ?? waitsMs[0];

function createEventCursor(db: Knex, source: string): EventCursor {
  const holder = newId();
  let isThere = false;

  return {
    async claim() {
      if (!isThere) await db('event_cursors').insert({ source }).onConflict('source').ignore();
      isThere = true;
      const { rows } = (await db.raw(
        `update event_cursors set holder = ?, held_until = ${later(String(leaseMs))}
        where source = ? and (holder is null or holder = ? or held_until < clock_timestamp()) returning position`,
        [holder, source, holder],
      )) as { rows: { position: number }[] };
      if (rows[0]) return { position: rows[0].position };
      const { rows: cursors } = (await db.raw(
        `select extract(epoch from held_until - clock_timestamp())::float8 * 1000 as ms from event_cursors where source = ?`,
        [source],
      )) as { rows: { ms: number | null }[] };
      isThere = cursors.length > 0;
      return { leaseLeftMs: Math.max(100, cursors[0]?.ms ?? 0) };
    },

    async renew() {
      await db.raw(`update event_cursors set held_until = ${later(String(leaseMs))} where source = ? and holder = ?`, [
        source,
        holder,
      ]);
    },

    async release() {
      await db('event_cursors').where({ source, holder }).update({ holder: null, held_until: null });
    },

    async advance(position) {
      await db('event_cursors').where({ source, holder }).update({ position });
    },
  };
}

function createParkedEvents(db: Knex, source: string): ParkedEvents {
  const rowOf = (event: LoggedEvent) => ({
    source,
    id: event.id,
    position: event.position,
    subject: event.subject,
    key: event.key,
    payload: event.payload,
    created_at: event.createdAt ?? new Date(),
    traceparent: event.traceparent || null,
  });

  return {
    async blocked(keys) {
      const { rows } = (await db.raw(
        `select distinct key from parked_events where source = ? and key = any(?::text[])`,
        [source, [...keys]],
      )) as { rows: { key: string }[] };
      return new Set(rows.map(({ key }) => key));
    },

    async park(event, why) {
      const waitMs = why === 'behind' ? null : why === 'now' ? 0 : why === 'under_way' ? underWayMs : waitAfter(1);
      const failure = typeof why === 'object' ? { error: wordsOf(why.error), attempts: 1 } : {};
      const nextTryAt = waitMs === null ? null : db.raw(later('?'), [waitMs]);
      await db('parked_events')
        .insert({ ...rowOf(event), ...failure, next_try_at: nextTryAt })
        .onConflict(['source', 'id'])
        .ignore();
    },

    async takeDue(limit) {
      const { rows } = (await db.raw(
        `with due as materialized (
          select id from parked_events where source = ? and next_try_at <= clock_timestamp()
          order by next_try_at limit ? for update skip locked
        )
        update parked_events p set next_try_at = ${later('?')} from due where p.source = ? and p.id = due.id
        returning p.position, p.id, p.subject, p.key, p.payload::text as payload, p.created_at as "createdAt",
          coalesce(p.traceparent, '') as traceparent, p.attempts`,
        [source, limit, underWayMs, source],
      )) as { rows: ParkedEvent[] };
      return rows.sort((a, b) => a.position - b.position);
    },

    async extend(ids) {
      await db.raw(
        `update parked_events set next_try_at = ${later(String(underWayMs))}
        where source = ? and id = any(?::uuid[])`,
        [source, [...ids]],
      );
    },

    async done({ id, key }) {
      await db.transaction(async (trx) => {
        await trx('parked_events').where({ source, id }).delete();
        await trx.raw(releaseNextOfKeySql, [source, key]);
      });
    },

    async failed({ id, attempts }, error) {
      const tried = attempts + 1;
      await db('parked_events')
        .where({ source, id })
        .update({
          error: wordsOf(error),
          attempts: tried,
          next_try_at: db.raw(later('?'), [waitAfter(tried)]),
        });
    },

    async heal() {
      await db.raw(
        `update parked_events set next_try_at = clock_timestamp() where (source, id) in (
          select distinct on (key) source, id from parked_events p
          where source = ? and not exists (
            select from parked_events o where o.source = p.source and o.key = p.key and o.next_try_at is not null)
          order by key, position, id)`,
        [source],
      );
    },

    async untilNextMs() {
      const { rows } = (await db.raw(
        `select extract(epoch from min(next_try_at) - clock_timestamp())::float8 * 1000 as ms
        from parked_events where source = ? and next_try_at is not null`,
        [source],
      )) as { rows: { ms: number | null }[] };
      return rows[0]?.ms ?? undefined;
    },
  };
}

/** Stores the consumer's state for the events of one source in its own schema; see createEventCursorTables. */
export function createEventConsumerStore(db: Knex, source: string): EventConsumerStore {
  return { ...createEventCursor(db, source), ...createParkedEvents(db, source) };
}
