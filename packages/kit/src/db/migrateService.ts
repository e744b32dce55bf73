import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { commonConfig, ConfigError, loadConfig } from '../config.ts';
import { migrate } from './migrations.ts';
import { databaseSchemaOf } from './provision.ts';

/**
 * Implements a service's `migrate.ts`, which runs separately before the service starts: migrates the single schema that
 * the service owns, and reports what ran.
 *
 * @param name of the service, and therefore of its schema.
 * @param directory of its migrations.
 */
export async function migrateService(name: string, directory: URL): Promise<void> {
  try {
    const { DATABASE_URL } = loadConfig(z.object({ DATABASE_URL: commonConfig.DATABASE_URL }));
    const ran = await migrate(DATABASE_URL, databaseSchemaOf(name), fileURLToPath(directory));
    process.stdout.write(`${name}: ${ran.length === 0 ? 'schema is up to date' : `ran ${ran.join(', ')}`}\n`);
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof ConfigError ? error.sentences.join('\n') : String(error)}\n`);
    process.exitCode = 1;
  }
}
