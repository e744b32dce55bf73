import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import type { DeviceKeyStorage, RunAlone } from '../keys/ports.ts';

/** Increase it when the table changes. */
const schemaVersion = 1;
/** Milliseconds to wait for another process that writes. */
const busyTimeoutMs = 5_000;

/** Creates a file that only its owner may read. */
function createPrivately(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

function openDatabase(path: string): DatabaseSync {
  createPrivately(path);
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  // A transaction is on disk before the call that made it resolves.
  database.exec('pragma journal_mode = wal; pragma synchronous = full;');
  const version = Number(database.prepare('pragma user_version').get()?.['user_version']);
  if (version > schemaVersion) throw new Error(`${path} was written by a newer version of this package.`);
  if (version === 0)
    database.exec(`
      create table if not exists keys (key text primary key, value blob not null) strict, without rowid;
      pragma user_version = ${schemaVersion};
    `);
  return database;
}

/** Values are bytes, numbers, texts, and what consists of them. Bytes come back in buffers of their own. */
const write = (value: unknown): Uint8Array => serialize(value);

function copyBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (Array.isArray(value)) return value.map(copyBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyBytes(inner)]));
}

const read = (value: unknown): unknown => copyBytes(deserialize(value as Uint8Array));

/** Least text above all that begin with the prefix. */
const endOf = (prefix: string): string => `${prefix}\u{10FFFF}`;

/**
 * Opens the keys of one account in a file of its own (`node:sqlite`) that only its owner may read. Several processes
 * may share it. The keys are as secret as the file: keep it out of backups that others read.
 *
 * @throws Error for a file of a newer version
 */
export function openSqliteKeys(path: string): DeviceKeyStorage {
  const database = openDatabase(path);
  const statements = {
    read: database.prepare('select value from keys where key = ?'),
    list: database.prepare('select key, value from keys where key >= ? and key < ? order by key'),
    put: database.prepare('insert or replace into keys (key, value) values (?, ?)'),
    remove: database.prepare('delete from keys where key = ?'),
  };
  const lock = openLock(`${path}.lock`);
  return {
    runAlone: lock.runAlone,
    keyForm: 'bytes',
    async read(key) {
      const row = statements.read.get(key);
      return row === undefined ? undefined : read(row['value']);
    },
    list: async (prefix) =>
      statements.list.all(prefix, endOf(prefix)).map(({ key, value }) => [String(key), read(value)] as const),
    async write(values) {
      database.exec('begin immediate');
      try {
        for (const [key, value] of Object.entries(values)) {
          if (value === undefined) statements.remove.run(key);
          else statements.put.run(key, write(value));
        }
        database.exec('commit');
      } catch (error) {
        database.exec('rollback');
        throw error;
      }
    },
    close() {
      lock.close();
      database.close();
    },
  };
}

/** Milliseconds between two attempts to get the lock of another process. */
const lockRetryMs = 25;

/**
 * Lock across processes: a transaction on a file, which the operating system ends with the process. It waits without
 * blocking the thread.
 */
function openLock(path: string): { readonly runAlone: RunAlone; close(): void } {
  createPrivately(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  let tail: Promise<unknown> = Promise.resolve();

  const tryLock = (): boolean => {
    try {
      database.exec('begin exclusive');
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  };
  const hold = async <T>(task: () => Promise<T>): Promise<T> => {
    while (!tryLock()) await new Promise((resolve) => setTimeout(resolve, lockRetryMs));
    try {
      return await task();
    } finally {
      database.exec('rollback');
    }
  };
  return {
    runAlone(task) {
      const result = tail.then(() => hold(task));
      tail = result.catch(() => undefined);
      return result;
    },
    close: () => database.close(),
  };
}

/** SQLITE_BUSY, with or without a further reason in the upper bits. */
const isBusy = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
