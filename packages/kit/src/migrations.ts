import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import type { Secret } from './config.ts';
import { createDb } from './database.ts';
import { untilReachable } from './untilReachable.ts';

/** Of the database's advisory locks, the one that a migrating service takes. */
const migrationLock = 4_217_002;

/** How long one connection may take: nobody waits for an answer, and the machine may be starting everything at once. */
const connectTimeoutMs = 15_000;

/**
 * Who changes a table waits until all transactions that use it are over, and everybody who comes after it waits behind it.
 * So it gives up soon, lets the others pass, and comes again.
 */
const lockTimeoutMs = 2_000;
const pauseMs = 1_000;

const isLockTimeout = (error: unknown) => (error as { code?: unknown } | undefined)?.code === '55P03';

/**
 * Knex's own loader guesses between require and import by the package in the working directory.
 * Ours always imports, so that Node strips the types, wherever the process was started.
 */
class TypeScriptMigrations implements Knex.MigrationSource<string> {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async getMigrations(): Promise<string[]> {
    const files = await readdir(this.#directory);
    return files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts')).sort();
  }

  getMigrationName(file: string): string {
    return file;
  }

  async getMigration(file: string): Promise<Knex.Migration> {
    return (await import(pathToFileURL(join(this.#directory, file)).href)) as Knex.Migration;
  }
}

/**
 * Brings a service's schema up to date. Several replicas may do it at once: one works, the others
 * wait for it and find nothing left to do.
 *
 * @param directory absolute path of the service's migrations/*.ts
 * A migration is a transaction, which leaves nothing behind where it fails. One that exports `config` with
 * `transaction: false`, as an index that is made concurrently has to be, leaves behind what it did until then: it has to
 * find its way on from there.
 *
 * @param options.timeoutMs how long a database that cannot be reached is waited for; a minute unless given.
 * @param options.lockRetryMs how long a table is asked for that others use without a pause; ten minutes unless given.
 * @returns the names of the migrations that were run now.
 */
export async function migrate(
  url: string | Secret,
  schema: string,
  directory: string,
  { timeoutMs = 60_000, lockRetryMs = 600_000 }: { timeoutMs?: number; lockRetryMs?: number } = {},
): Promise<string[]> {
  // A migration may rewrite a large table, so its statements get an hour rather than seconds. Two
  // connections: one holds the lock while the other works.
  const db = createDb({ url, schema, poolMax: 2, statementTimeoutMs: 3_600_000, lockTimeoutMs, connectTimeoutMs });
  try {
    await untilReachable(async () => await db.raw('select 1'), timeoutMs);
    return await db.transaction(async (lock) => {
      await lock.raw('set local lock_timeout = 0');
      await lock.raw('select pg_advisory_xact_lock(?, hashtext(?))', [migrationLock, schema]);
      // Last, for without values it also ends the portal of the one before, and with it a snapshot that an index which is
      // made concurrently would wait for as long as this transaction lasts.
      await lock.raw('set local idle_in_transaction_session_timeout = 0');
      const config: Knex.MigratorConfig = {
        migrationSource: new TypeScriptMigrations(directory),
        tableName: 'migrations',
      };
      const ran = new Set<string>();
      const until = performance.now() + lockRetryMs;
      for (;;) {
        try {
          // Knex marks its own lock in a table, where it outlives a migrator that was killed. Whoever
          // holds the advisory lock knows that nobody else is at work.
          await db.migrate.forceFreeMigrationsLock(config);
          const [, names] = (await db.migrate.up(config)) as [number, string[]];
          if (names.length === 0) return [...ran];
          for (const name of names) ran.add(name);
        } catch (error) {
          if (!isLockTimeout(error) || performance.now() > until) throw error;
          await sleep(pauseMs);
        }
      }
    });
  } finally {
    await db.destroy();
  }
}
