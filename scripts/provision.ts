import { ConfigError, loadConfig, reveal, createSecretUrlSchema, type Secret } from '@nolo/kit/config';
import { provisionDatabase, roleFor } from '@nolo/kit/db';
import { z } from 'zod';
import { databaseServices, databaseVariableOf } from './services.ts';

/**
 * Creates the database, the roles and the schemas that the services' URLs name, for compose and clusters. Idempotent:
 * adds what is missing and resets the passwords.
 *
 *   node scripts/provision.ts
 */
const postgres = () => createSecretUrlSchema('postgres', 'postgresql');

/** `PROVISION_DATABASE_URL` is the URL of an administrator, who may create databases and roles. */
const administrator = 'PROVISION_DATABASE_URL';

const configSchema = z.object(
  Object.fromEntries([administrator, ...databaseServices.map(databaseVariableOf)].map((name) => [name, postgres()])),
);

async function provision(): Promise<string> {
  const config = loadConfig(configSchema);
  const urlOf = (variable: string): Secret => config[variable] as Secret;
  const roles = databaseServices.map((service) => {
    const variable = databaseVariableOf(service);
    return { service, variable, url: new URL(reveal(urlOf(variable))) };
  });
  const databases = new Set(roles.map(({ url }) => decodeURIComponent(url.pathname.slice(1))));
  const [database] = databases;
  if (databases.size !== 1 || !database) {
    throw new ConfigError(['The addresses of the services must all name the same database.']);
  }
  const passwords: Record<string, string> = {};
  for (const { service, variable, url } of roles) {
    const role = roleFor(database, service);
    if (decodeURIComponent(url.username) !== role) throw new ConfigError([`${variable} must name the role ${role}.`]);
    if (url.password === '') throw new ConfigError([`${variable} must contain a password.`]);
    passwords[service] = decodeURIComponent(url.password);
  }
  // Compose and clusters start everything at once, including the database.
  await provisionDatabase(urlOf(administrator), database, databaseServices, passwords, { timeoutMs: 60_000 });
  return `${database}: roles and schemas are ready for ${databaseServices.join(', ')}`;
}

try {
  process.stdout.write(`${await provision()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.sentences.join('\n') : String(error)}\n`);
  process.exitCode = 1;
}
