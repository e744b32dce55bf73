import { fileURLToPath } from 'node:url';
import { commonConfig, ConfigError, loadConfig } from '@nolo/kit/config';
import { migrate } from '@nolo/kit/db';
import { z } from 'zod';

/** Absolute path of this service's migrations. */
export const migrationsDirectory = fileURLToPath(new URL('../migrations', import.meta.url));

/** The one schema that this service owns. */
export const schemaName = 'transcriber';

// Run by itself before the service starts: `node services/transcriber/src/migrate.ts`.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { DATABASE_URL } = loadConfig(z.object({ DATABASE_URL: commonConfig.DATABASE_URL }));
    const names = await migrate(DATABASE_URL, schemaName, migrationsDirectory);
    process.stdout.write(`transcriber: ${names.length === 0 ? 'schema is up to date' : `ran ${names.join(', ')}`}\n`);
  } catch (error) {
    process.stderr.write(`transcriber: ${error instanceof ConfigError ? error.sentences.join('\n') : String(error)}\n`);
    process.exitCode = 1;
  }
}
