import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';
import { databaseServices } from './services.ts';

const templateName = 'nolo_template';

/**
 * Creates a database with the schemas of all services. A test copies it in a tenth of a second instead of running
 * migrations.
 *
 * @param databaseUrl URL of an administrator.
 * @returns the database name.
 */
export async function makeDatabaseTemplate(databaseUrl: string): Promise<string> {
  // Imported here because it takes a while, and only stages with stores need it.
  const { createDb, migrate, provisionDatabase, schemaOf } = await import('@nolo/kit/db');
  // Passwords of the template are never used: its copies get their own roles.
  const secret = randomBytes(24).toString('base64url');
  const urls = await provisionDatabase(databaseUrl, templateName, databaseServices, secret);
  await Promise.all(
    databaseServices.map(async (service) => {
      await migrate(urls[service] ?? '', schemaOf(service), join(projectRoot, 'services', service, 'migrations'));
    }),
  );
  const admin = createDb({ url: databaseUrl, schema: 'public', poolMax: 1 });
  try {
    // A database can be copied only while nobody is connected to it.
    await admin.raw('alter database ?? with allow_connections false', [templateName]);
  } finally {
    await admin.destroy();
  }
  return templateName;
}
