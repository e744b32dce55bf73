import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noLogPattern, type ChildLogs } from './childLog.ts';
import { startNodeChild } from './childProcess.ts';
import { getBundledDependencyArguments } from './dependencies/provideBundledDependencies.ts';
import { hashInputs } from './hashInputs.ts';
import { CommandError } from './commandError.ts';
import { createMigrationEnv, type InstanceSettings } from './serviceEnv.ts';
import { databaseServices } from './services.ts';
import type { StackOptions } from './stack.ts';

/** Creates roles and schemas for the services, and runs their migrations unless nothing changed since the last run. */
export async function prepareDatabase(
  options: Pick<StackOptions, 'home' | 'database' | 'template' | 'env'>,
  backing: NonNullable<StackOptions['backing']>,
  around: InstanceSettings,
  logs: ChildLogs,
): Promise<boolean> {
  // Imported here because it takes a while, and everything else is already starting.
  const { provisionDatabase } = await import('@nolo/kit/db');
  try {
    around.databaseUrls = await provisionDatabase(
      backing.databaseUrl,
      options.database ?? databaseName(backing.databaseUrl),
      databaseServices,
      around.secrets.POSTGRES_ROLES_SECRET,
      { template: options.template },
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new CommandError(
      backing.dataFolder === undefined
        ? `The database at ${new URL(backing.databaseUrl).host} cannot be set up (${reason}). DATABASE_URL must be the address of an administrator who may create roles and schemas.`
        : `The database in ${backing.dataFolder} cannot be set up (${reason}). If it was not created for ${options.home}, move that folder away to start afresh.`,
    );
  }

  if (options.template !== undefined) return false;

  // A stamp records the state of a database that only we use. Any other database is checked each time.
  const stamp = join(options.home, 'migrated.json');
  const state =
    backing.dataFolder === undefined
      ? undefined
      : JSON.stringify({
          migrations: hashInputs([
            'packages/kit/src',
            'packages/installation/src',
            ...databaseServices.flatMap((name) => [`services/${name}/migrations`, `services/${name}/src/migrate.ts`]),
          ]),
          database: options.database ?? databaseName(backing.databaseUrl),
          // The inode identifies a data folder: a recreated one has another inode.
          data: String(statSync(join(backing.dataFolder, 'PG_VERSION')).ino),
        });
  if (state !== undefined && existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return false;
  rmSync(stamp, { force: true });
  await migrate(options, around, logs);
  if (state !== undefined) writeFileSync(stamp, state, { mode: 0o600 });
  return true;
}

async function migrate(options: Pick<StackOptions, 'env'>, around: InstanceSettings, logs: ChildLogs): Promise<void> {
  await Promise.all(
    databaseServices.map(async (name) => {
      const log = logs.of(`${name}-migration`, noLogPattern);
      const child = await startNodeChild({
        nodeArguments: getBundledDependencyArguments(around.dependencies),
        module: `services/${name}/src/migrate.ts`,
        env: { ...createMigrationEnv(name, around), ...options.env },
        onLine: log.line,
        announcesReady: false,
      });
      const ending = await child.exited;
      if (ending.code !== 0) {
        throw new CommandError(
          `The database of ${name} could not be migrated. The last lines were:\n${log.lastLines(8).join('\n')}`,
        );
      }
    }),
  );
}

/** Returns the database in a URL, unless it is the default one for administrators. */
function databaseName(url: string): string {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  return name === '' || name === 'postgres' ? 'nolo' : name;
}
