import { ConfigError, loadConfig, reveal, secretUrl } from '@nolo/kit/config';
import { provisionDatabase } from '@nolo/kit/db';
import { z } from 'zod';

/**
 * Makes the database, the roles and the schemas that the services' addresses name, for compose and clusters. It can be
 * run again at any time: it adds what is missing and sets the passwords anew.
 *
 *   node scripts/provision.ts
 */
const postgres = () => secretUrl('postgres', 'postgresql');

const configSchema = z.object({
  PROVISION_DATABASE_URL: postgres().describe('Address of an administrator, who may make databases and roles.'),
  IDENTITY_DATABASE_URL: postgres().describe('What the identity service gets as DATABASE_URL.'),
  CHAT_DATABASE_URL: postgres().describe('What the chat service gets as DATABASE_URL.'),
  FILES_DATABASE_URL: postgres().describe('What the files service gets as DATABASE_URL.'),
  MEETINGS_DATABASE_URL: postgres().describe('What the meetings service gets as DATABASE_URL.'),
  TRANSCRIBER_DATABASE_URL: postgres().describe('What the transcriber gets as DATABASE_URL.'),
});

async function provision(): Promise<string> {
  const config = loadConfig(configSchema);
  const urls = {
    identity: new URL(reveal(config.IDENTITY_DATABASE_URL)),
    chat: new URL(reveal(config.CHAT_DATABASE_URL)),
    files: new URL(reveal(config.FILES_DATABASE_URL)),
    meetings: new URL(reveal(config.MEETINGS_DATABASE_URL)),
    transcriber: new URL(reveal(config.TRANSCRIBER_DATABASE_URL)),
  };
  const services = ['identity', 'chat', 'files', 'meetings', 'transcriber'] as const;
  const databases = new Set(services.map((service) => decodeURIComponent(urls[service].pathname.slice(1))));
  const [database] = databases;
  if (databases.size !== 1 || !database) {
    throw new ConfigError(['The addresses of the services must name one and the same database.']);
  }
  const passwords = { identity: '', chat: '', files: '', meetings: '', transcriber: '' };
  for (const service of services) {
    const { username, password } = urls[service];
    const variable = `${service.toUpperCase()}_DATABASE_URL`;
    const role = `${database}_${service}`;
    if (decodeURIComponent(username) !== role) throw new ConfigError([`${variable} must name the role ${role}.`]);
    if (password === '') throw new ConfigError([`${variable} must hold a password.`]);
    passwords[service] = decodeURIComponent(password);
  }
  // Compose and clusters start everything at once, the database among it.
  await provisionDatabase(config.PROVISION_DATABASE_URL, database, services, passwords, { patienceMs: 60_000 });
  return `${database}: roles and schemas are there for ${services.join(', ')}`;
}

try {
  process.stdout.write(`${await provision()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.sentences.join('\n') : String(error)}\n`);
  process.exitCode = 1;
}
