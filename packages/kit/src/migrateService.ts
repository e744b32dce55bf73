import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { commonConfig, ConfigError, loadConfig } from './config.ts';
import { migrate } from './migrations.ts';
import { schemaOf } from './provision.ts';

/**
 * The whole of a service's `migrate.ts`, which runs by itself before the service starts: brings the one schema that it
 * owns up to date and says what was run.
 *
 * @param name of the service, and so of its schema.
 * @param directory where its migrations lie.
 */
export async function migrateService(name: string, directory: URL): Promise<void> {
  try {
    const { DATABASE_URL } = loadConfig(z.object({ DATABASE_URL: commonConfig.DATABASE_URL }));
    const ran = await migrate(DATABASE_URL, schemaOf(name), fileURLToPath(directory));
    process.stdout.write(`${name}: ${ran.length === 0 ? 'schema is up to date' : `ran ${ran.join(', ')}`}\n`);
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof ConfigError ? error.sentences.join('\n') : String(error)}\n`);
    process.exitCode = 1;
  }
}
