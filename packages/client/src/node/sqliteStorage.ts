import { DatabaseSync } from 'node:sqlite';
import type { Conversation, Message, Self } from '@nolo/api';
import { lastActivityOf } from '../chat/chatStore.ts';
import { findNextMessageExpiry, replaceExpired, withoutExpiredLastMessage } from '../chat/expiry.ts';
import { offlineChatLimits } from '../chat/offlineChats.ts';
import type { KnownPerson } from '../chat/people.ts';
import type { AccountStorage, OfflineTimeline, StorageOptions, TimelineCheckpoint } from '../chat/ports.ts';
import { createUnsentTables, unsentSchema, type PrepareSql } from './unsentTables.ts';

/** Increase it when tables change. `migrate` must then keep unsent messages, and may drop what the server has too. */
const schemaVersion = 1;
/** Milliseconds to wait for another process that writes. */
const busyTimeoutMs = 5_000;

const schema = `
  create table account (key text primary key, value text not null) strict;
  create table rows (id text primary key, activity text not null, row text not null) strict;
  create index rows_activity on rows (activity);
  create table timelines (
    id text primary key, activity text not null, checkpoint text not null, messages text not null
  ) strict;
  create index timelines_activity on timelines (activity);
  create table people (id text primary key, told_at integer not null, person text not null) strict;
  create index people_told_at on people (told_at);
  ${unsentSchema}
`;

/** Opens the file and creates its tables. */
function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  // A transaction is on disk before the call that made it resolves.
  database.exec('pragma journal_mode = wal; pragma synchronous = full;');
  inTransaction(database, () => {
    const version = Number(database.prepare('pragma user_version').get()?.['user_version']);
    if (version > schemaVersion) throw new Error(`${path} was written by a newer version of this package.`);
    if (version === 0) database.exec(`${schema} pragma user_version = ${schemaVersion};`);
  });
  return database;
}

function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('begin immediate');
  try {
    const result = work();
    database.exec('commit');
    return result;
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

/** Reads a column of JSON. Only this file writes it. */
const parse = <T>(text: unknown): T => JSON.parse(String(text)) as T;

/**
 * Creates one account's storage in a file of its own (`node:sqlite`), with the rules and limits of the web's. Several
 * processes may share the file.
 */
export function openSqliteStorage(
  path: string,
  {
    // Clock: the machine's own, unless the caller has the server's.
    now = () => Date.now(),
  }: StorageOptions = {},
): AccountStorage {
  const database = openDatabase(path);
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  const sql: PrepareSql = (text) => {
    const statement = statements.get(text) ?? database.prepare(text);
    statements.set(text, statement);
    return statement;
  };
  const transaction = <T>(work: () => T): T => inTransaction(database, work);
  const { list: listUnsent, ...unsent } = createUnsentTables(sql, transaction);

  const readTimeline = (id: string): OfflineTimeline | undefined => {
    const stored = sql('select checkpoint, messages from timelines where id = ?').get(id);
    if (!stored) return undefined;
    const messages = replaceExpired(parse<Message[]>(stored['messages']), now());
    return { ...parse<TimelineCheckpoint>(stored['checkpoint']), messages };
  };

  const putRow = (row: Conversation): void =>
    void sql('insert or replace into rows (id, activity, row) values (?, ?, ?)').run(
      row.id,
      lastActivityOf(row),
      JSON.stringify(row),
    );
  const putTimeline = ({ messages, ...checkpoint }: OfflineTimeline): void =>
    void sql('insert or replace into timelines (id, activity, checkpoint, messages) values (?, ?, ?, ?)').run(
      checkpoint.conversationId,
      checkpoint.activity,
      JSON.stringify(checkpoint),
      JSON.stringify(messages),
    );

  const writeRow = (row: Conversation): void => {
    const known = sql('select row from rows where id = ?').get(row.id);
    // The row stored by another process may be newer.
    if (!known || parse<Conversation>(known['row']).changeSeq <= row.changeSeq) putRow(row);
  };
  const writeTimeline = (timeline: OfflineTimeline): void => {
    const known = sql('select checkpoint from timelines where id = ?').get(timeline.conversationId);
    if (!known || parse<TimelineCheckpoint>(known['checkpoint']).changeSeq <= timeline.changeSeq) putTimeline(timeline);
  };

  /** Deletes what exceeds the limit, oldest first. */
  const cut = (table: 'rows' | 'timelines' | 'people', age: 'activity' | 'told_at', limit: number): void =>
    void sql(
      `delete from ${table} where id in (
         select id from ${table} order by ${age}, id limit max(0, (select count(*) from ${table}) - ?)
       )`,
    ).run(limit);

  const removeExpired = (at: number): number | null => {
    let next = Infinity;
    for (const { checkpoint: text, messages } of sql('select checkpoint, messages from timelines').all()) {
      const checkpoint = parse<TimelineCheckpoint>(text);
      if ((checkpoint.nextExpiry ?? Infinity) > at) {
        next = Math.min(next, checkpoint.nextExpiry ?? Infinity);
        continue;
      }
      const left = replaceExpired(parse<Message[]>(messages), at);
      const later = findNextMessageExpiry(left);
      next = Math.min(next, later);
      putTimeline({ ...checkpoint, nextExpiry: later === Infinity ? null : later, messages: left });
    }
    for (const { row: text } of sql('select row from rows').all()) {
      const stored = parse<Conversation>(text);
      const row = withoutExpiredLastMessage(stored, at);
      if (row !== stored) putRow(row);
      if (row.lastMessage) next = Math.min(next, findNextMessageExpiry([row.lastMessage]));
    }
    return next === Infinity ? null : next;
  };

  const valueOf = (key: string): unknown => sql('select value from account where key = ?').get(key)?.['value'];
  const putValue = (key: string, value: unknown): void =>
    void sql('insert or replace into account (key, value) values (?, ?)').run(key, JSON.stringify(value));

  return {
    readAccount: async (conversationId = '') =>
      transaction(() => {
        const self = valueOf('self');
        return {
          self: self === undefined ? undefined : parse<Self>(self),
          listed: valueOf('listed') !== undefined,
          rows: sql('select row from rows order by id')
            .all()
            .map(({ row }) => withoutExpiredLastMessage(parse<Conversation>(row), now())),
          timelines: [readTimeline(conversationId) ?? []].flat(),
          unsent: listUnsent(),
          people: sql('select person from people')
            .all()
            .map(({ person }) => parse<KnownPerson>(person)),
        };
      }),
    putSelf: async (self) => putValue('self', self),
    close: () => database.close(),
    readTimeline: async (id) => readTimeline(id),
    listTimelineCheckpoints: async () =>
      sql('select checkpoint from timelines')
        .all()
        .map(({ checkpoint }) => parse<TimelineCheckpoint>(checkpoint)),
    writeChats: async ({ rows, timelines, people }) =>
      transaction(() => {
        putValue('listed', true);
        rows.forEach(writeRow);
        timelines.forEach(writeTimeline);
        const toldAt = Math.round(now());
        for (const person of people)
          sql('insert or replace into people (id, told_at, person) values (?, ?, ?)').run(
            person.id,
            toldAt,
            JSON.stringify(person),
          );
        cut('people', 'told_at', offlineChatLimits.people);
        cut('rows', 'activity', offlineChatLimits.rows);
        cut('timelines', 'activity', offlineChatLimits.timelines);
      }),
    removeChat: async (id) =>
      transaction(() => {
        sql('delete from rows where id = ?').run(id);
        sql('delete from timelines where id = ?').run(id);
      }),
    removeExpired: async (at) => transaction(() => removeExpired(at)),
    ...unsent,
  };
}
