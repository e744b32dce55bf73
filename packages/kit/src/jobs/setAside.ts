import type { Knex } from 'knex';
import { createAppError } from '../errors.ts';
import { releaseNextOfKeySql } from '../events/eventConsumerStore.ts';
import { isId, parseId } from '../ids.ts';
import { countJobs, discardJob, retryJob } from './jobsTable.ts';
import { defineCursor, idCursorField, clampPageSize } from '../pages.ts';

export interface QueueWorkCount {
  kind: string;
  queue: string;
  waiting: number;
  late: number;
  active: number;
  setAside: number;
}

export interface SetAsideItem {
  id: string;
  attempts: number;
  failure: string | undefined;
  at: Date;
}

interface QueueOf {
  kind?: string | undefined;
  queue?: string | undefined;
}

interface OneOf extends QueueOf {
  id?: string | undefined;
}

const lateMs = 60_000;
const maxCountedRows = 100_000;
const place = defineCursor<{ id: string }>({ id: idCursorField() });
const nothing = { waiting: 0, late: 0, active: 0, setAside: 0 };
const outbox = 'outbox';

/** Table of each kind of work, and the condition for rows that wait for an operator. */
const tables = {
  job: { table: 'jobs', at: 'due_at' },
  event: { table: 'parked_events', at: 'created_at' },
  message: { table: 'outbox_parked', at: 'created_at' },
} as const;
type Kind = keyof typeof tables;

const kindOf = (kind: string | undefined): Kind | undefined =>
  Object.hasOwn(tables, kind ?? '') ? (kind as Kind) : undefined;

/**
 * Creates access to a service's pending work and failed work, in those of the three tables that exist. Never reads
 * payloads.
 */
export function createSetAsideStore(db: Knex) {
  const has = async (table: string): Promise<boolean> => {
    const { rows } = await db.raw<{ rows: { there: boolean }[] }>('select to_regclass(?) is not null as there', [
      table,
    ]);
    return rows[0]?.there ?? false;
  };

  const jobs = async (): Promise<QueueWorkCount[]> => {
    const queues = new Map<string, QueueWorkCount>();
    for (const { queue, state, count } of await countJobs(db, lateMs)) {
      const one = queues.get(queue) ?? { kind: 'job', queue, ...nothing };
      queues.set(queue, { ...one, [state === 'parked' ? 'setAside' : state]: count });
    }
    return [...queues.values()];
  };

  const events = async (): Promise<QueueWorkCount[]> => {
    const { rows } = await db.raw<{ rows: { queue: string; waiting: number; setAside: number }[] }>(
      `select source as queue, count(*) filter (where error is null)::int as waiting,
         count(*) filter (where error is not null)::int as "setAside"
       from (select source, error from parked_events limit ${maxCountedRows}) as counted group by source`,
    );
    return rows.map((row) => ({ kind: 'event', ...nothing, ...row }));
  };

  const messages = async (): Promise<QueueWorkCount[]> => {
    const count = async (table: string) => {
      const { rows } = await db.raw<{ rows: { n: number }[] }>(
        `select count(*)::int as n from (select from ?? limit ${maxCountedRows}) as counted`,
        [table],
      );
      return rows[0]?.n ?? 0;
    };
    const [waiting, setAside] = [await count(outbox), await count('outbox_parked')];
    return waiting + setAside === 0 ? [] : [{ kind: 'message', queue: outbox, ...nothing, waiting, setAside }];
  };

  const retryOf: Record<Kind, (queue: string, id: string) => Promise<boolean>> = {
    job: async (_queue, id) => (await retryJob(db, id)) !== undefined,
    event: async (source, id) =>
      (await db('parked_events').where({ source, id }).whereNotNull('error').update({ next_try_at: db.fn.now() })) > 0,
    message: async (_queue, id) => {
      const { rows } = await db.raw<{ rows: unknown[] }>(
        `with back as (delete from outbox_parked where id = ? returning id, subject, payload, created_at)
         insert into outbox (id, subject, payload, created_at) select * from back returning id`,
        [id],
      );
      return rows.length > 0;
    },
  };

  const discardOf: typeof retryOf = {
    job: (_queue, id) => discardJob(db, id),
    event: (source, id) =>
      db.transaction(async (trx) => {
        const gone: { key: string }[] = await trx('parked_events')
          .where({ source, id })
          .whereNotNull('error')
          .delete(['key']);
        // Releases the events that waited behind it.
        for (const { key } of gone) await trx.raw(releaseNextOfKeySql, [source, key]);
        return gone.length > 0;
      }),
    message: async (_queue, id) => (await db('outbox_parked').where({ id }).delete()) > 0,
  };

  const act = async (operations: typeof retryOf, { kind: name, queue = '', id = '' }: OneOf): Promise<void> => {
    const kind = kindOf(name);
    const isThere = kind !== undefined && isId(id) && (await has(tables[kind].table));
    if (isThere && (await operations[kind](queue, parseId(id) ?? id))) return;
    throw createAppError('not_found', 'work_not_found', 'This item has already been handled.');
  };

  return {
    async count(): Promise<QueueWorkCount[]> {
      const counted = [
        ...((await has('jobs')) ? await jobs() : []),
        ...((await has('parked_events')) ? await events() : []),
        ...((await has('outbox_parked')) ? await messages() : []),
      ];
      return counted.toSorted((one, other) => other.setAside - one.setAside || (one.queue < other.queue ? -1 : 1));
    },

    async list({
      kind: name,
      queue = '',
      cursor,
      limit: requestedLimit,
    }: QueueOf & { cursor?: string | undefined; limit?: number | undefined }) {
      const [kind, after, limit] = [kindOf(name), place.read(cursor)?.id, clampPageSize(requestedLimit, 50, 100)];
      if (!kind || !(await has(tables[kind].table))) return { items: [], nextCursor: undefined };
      const { table, at } = tables[kind];
      const query = db(table)
        .orderBy('id')
        .limit(limit + 1);
      if (after !== undefined) void query.where('id', '>', after);
      if (kind === 'job') void query.where({ queue, state: 'parked' });
      if (kind === 'event') void query.where({ source: queue }).whereNotNull('error');
      if (kind === 'message' && queue !== outbox) void query.whereRaw('false');
      const failure = kind === 'job' ? 'failure' : db.raw('null as failure');
      const rows: (Omit<SetAsideItem, 'failure'> & { failure: string | null })[] = await query.select(
        'id',
        'attempts',
        failure,
        { at },
      );
      const page = rows.slice(0, limit).map((row) => ({ ...row, failure: row.failure ?? undefined }));
      const last = page.at(-1);
      return { items: page, nextCursor: rows.length > limit && last ? place.write({ id: last.id }) : undefined };
    },

    /** @throws AppError not_found 'work_not_found' if it is no longer set aside */
    retry: (work: OneOf) => act(retryOf, work),

    /** Discards it permanently, unread. @throws AppError not_found 'work_not_found' if it is no longer set aside */
    discard: (work: OneOf) => act(discardOf, work),
  };
}
