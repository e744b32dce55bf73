import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import type { Secret } from '../config.ts';
import { createDb } from './database.ts';
import { retryUntilReachable } from './untilReachable.ts';

/** Id of the advisory lock that a migrating service takes. */
const migrationLock = 4_217_002;

/**
 * Timeout of a single connection attempt. Generous, because no caller waits and the machine may be starting everything
 * at once.
 */
const connectTimeoutMs = 15_000;

/**
 * Timeout for table locks. A schema change waits until all transactions on the table end, and later ones queue behind
 * it. So it gives up early, lets the others pass, and retries.
 */
const lockTimeoutMs = 2_000;
const pauseMs = 1_000;

const isLockTimeout = (error: unknown) => (error as { code?: unknown } | undefined)?.code === '55P03';

/**
 * Loads migrations. Knex's own loader chooses between require and import by the package in the working directory. This
 * one always imports, so that Node strips the types regardless of where the process started.
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
 * Migrates a service's schema. Several replicas may do so at once: one works, the others wait and then find nothing to
 * do.
 *
 * A migration is a transaction, which leaves nothing behind if it fails. A migration that exports `config` with
 * `transaction: false`, as a concurrently created index requires, leaves its partial work behind and must be able to
 * continue from there.
 *
 * @param directory absolute path of the service's migrations/*.ts
 * @param options.timeoutMs maximum wait for an unreachable database; one minute by default.
 * @param options.lockRetryMs maximum time of retries for a table that is in constant use; ten minutes by default.
 * @returns the names of the migrations that ran now.
 */
export async function migrate(
  url: string | Secret,
  schema: string,
  directory: string,
  { timeoutMs = 60_000, lockRetryMs = 600_000 }: { timeoutMs?: number; lockRetryMs?: number } = {},
): Promise<string[]> {
  // A migration may rewrite a large table, so its statements get an hour rather than seconds. Uses two connections: one
  // holds the lock while the other works.
  const db = createDb({ url, schema, poolMax: 2, statementTimeoutMs: 3_600_000, lockTimeoutMs, connectTimeoutMs });
  try {
    await retryUntilReachable(async () => await db.raw('select 1'), timeoutMs);
    return await db.transaction(async (lock) => {
      await lock.raw('set local lock_timeout = 0');
      await lock.raw('select pg_advisory_xact_lock(?, hashtext(?))', [migrationLock, schema]);
      // Must be last: a query without values also ends the previous portal, and with it a snapshot that a concurrently
      // created index would wait for as long as this transaction lasts.
      await lock.raw('set local idle_in_transaction_session_timeout = 0');
      const config: Knex.MigratorConfig = {
        migrationSource: new TypeScriptMigrations(directory),
        tableName: 'migrations',
      };
      const ran = new Set<string>();
      const until = performance.now() + lockRetryMs;
      for (;;) {
        try {
          // Knex stores its own lock in a table, where it survives a killed migrator. The holder of the advisory lock
          // knows that no other migrator is running.
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
