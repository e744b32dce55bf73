import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const names = [
  'RPC_SECRET',
  'COOKIE_SECRET',
  'CODE_PEPPER',
  'FACTOR_KEY',
  'UPLOAD_SECRET',
  'SOCIAL_TOKEN_KEY',
  'WEBHOOK_KEY',
  'OIDC_CLIENT_SECRET',
  'POSTGRES_PASSWORD',
  'POSTGRES_ROLES_SECRET',
  'REDIS_PASSWORD',
  'NATS_PASSWORD',
] as const;

type SecretName = (typeof names)[number];
export type InstanceSecrets = Record<SecretName, string>;

/**
 * Returns the random secrets of one instance, created at its first start and stored in a file that only its owner may
 * read. Secrets added by a later version are created on first use.
 */
export function provideInstanceSecrets(home: string): InstanceSecrets {
  const file = join(home, 'secrets.json');
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<InstanceSecrets>) : {};
  const secrets = Object.fromEntries(
    names.map((name) => [name, known[name] ?? randomBytes(32).toString('hex')]),
  ) as InstanceSecrets;
  if (names.some((name) => known[name] === undefined)) {
    const fresh = `${file}.new`;
    writeFileSync(fresh, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    renameSync(fresh, file);
  }
  chmodSync(file, 0o600);
  return secrets;
}
