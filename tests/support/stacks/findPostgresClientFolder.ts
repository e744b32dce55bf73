import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createDb } from '@nolo/kit/db';
import { findPostgresBinaries } from '../../../scripts/backing/postgresBinaries.ts';
import { findProgram } from '../../../scripts/paths.ts';
import { runCommand } from '../../../scripts/runCommand.ts';

/**
 * Returns the folder of a pg_dump that can read this server, which one of an older major version cannot; undefined if
 * none exists. The Postgres among our packages includes only the server.
 */
export async function findPostgresClientFolder(databaseUrl: string): Promise<string | undefined> {
  const db = createDb({ url: databaseUrl, schema: 'public', poolMax: 1 });
  const { rows } = await db.raw<{ rows: { server_version_num: string }[] }>('show server_version_num');
  await db.destroy();
  const server = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
  const inPath = findProgram('pg_dump');
  const folders = [
    ...(inPath === undefined ? [] : [join(inPath, '..')]),
    ...(await findPostgresBinaries()).map((one) => one.folder),
  ];
  for (const folder of folders) {
    if (!existsSync(join(folder, 'pg_dump'))) continue;
    const { output } = await runCommand(join(folder, 'pg_dump'), ['--version']);
    if (Number(/\) (\d+)/.exec(output)?.[1]) >= server) return folder;
  }
  return undefined;
}
