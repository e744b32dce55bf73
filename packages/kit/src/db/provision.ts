import { createHmac } from 'node:crypto';
import pg from 'pg';
import { reveal, type Secret } from '../config.ts';
import { retryUntilReachable } from './untilReachable.ts';

/** Arbitrary lock id, the same for every provisioner. */
const provisioningLock = 4_217_001;

export interface ProvisionOptions {
  /** Maximum wait for an unreachable database. Default: no wait. */
  timeoutMs?: number;
  /**
   * Template database that this function created for the same services and that has no connections: a missing database
   * starts as a copy of it, owned by its own roles. For tests; requires a superuser.
   */
  template?: string | undefined;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  // Prevents a lost server between two queries from ending the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function withClient<T>(url: string, timeoutMs: number, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await retryUntilReachable(() => connect(url), timeoutMs);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function urlFor(adminUrl: string, target: { database: string; user?: string; password?: string }): string {
  const url = new URL(adminUrl);
  url.pathname = `/${encodeURIComponent(target.database)}`;
  if (target.user !== undefined) url.username = encodeURIComponent(target.user);
  if (target.password !== undefined) url.password = encodeURIComponent(target.password);
  return url.href;
}

/** Returns the schema that a service owns: its name in the form that SQL and shells accept. */
export function databaseSchemaOf(service: string): string {
  return service.replaceAll('-', '_');
}

/** Returns the role of a service in one database. */
export function databaseRoleFor(database: string, service: string): string {
  return `${database}_${databaseSchemaOf(service)}`;
}

function checkName(name: string): void {
  // PostgreSQL silently truncates names to 63 bytes, so two names could become one.
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) {
    throw new Error(
      `"${name}" is not a valid database, schema, or role name. Use at most 63 lower-case letters, digits, and _.`,
    );
  }
}

/**
 * Provisions a database so that each service has its own role and schema, and no access to others. Can be repeated at
 * any time, by several processes at once: it adds what is missing, and sets the passwords again.
 *
 * Roles belong to the whole cluster, not to a database, so their names contain the database's: several test databases
 * share one cluster.
 *
 * @param password one password per service, or a single secret from which each role's password is derived
 *   (HMAC-SHA-256 of the role's name), so that an operator has to store only one.
 * @returns the database URL of each service.
 */
export async function provisionDatabase<Service extends string>(
  adminUrl: string | Secret,
  database: string,
  services: readonly Service[],
  password: string | Secret | Readonly<Record<Service, string>>,
  { timeoutMs = 0, template }: ProvisionOptions = {},
): Promise<Record<Service, string>> {
  const admin = reveal(adminUrl);
  const passwordOf = (service: Service): string => {
    if (typeof password === 'object' && !('reveal' in password)) return password[service];
    const seed = reveal(password as string | Secret);
    return createHmac('sha256', seed).update(databaseRoleFor(database, service)).digest('base64url');
  };
  checkName(database);
  if (template !== undefined) checkName(template);
  for (const service of services) {
    checkName(databaseSchemaOf(service));
    checkName(databaseRoleFor(database, service));
  }

  await withClient(admin, timeoutMs, async (client) => {
    // Concurrent runs would fail with "tuple concurrently updated". The lock ends with the connection.
    await client.query('select pg_advisory_lock($1)', [provisioningLock]);
    const { rowCount: databases } = await client.query('select 1 from pg_database where datname = $1', [database]);
    const isCopy = !databases && template !== undefined;
    if (!databases) await client.query(`create database "${database}"${isCopy ? ` template "${template}"` : ''}`);
    await client.query(`revoke all on database "${database}" from public`);
    for (const service of services) {
      const role = databaseRoleFor(database, service);
      const secret = client.escapeLiteral(passwordOf(service));
      const { rowCount: roles } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
      const verb = roles ? 'alter' : 'create';
      await client.query(`${verb} role "${role}" login nosuperuser nocreatedb nocreaterole password ${secret}`);
      await client.query(`grant connect, temporary on database "${database}" to "${role}"`);
      await client.query(
        `alter role "${role}" in database "${database}" set search_path = "${databaseSchemaOf(service)}"`,
      );
    }
    await withClient(urlFor(admin, { database }), timeoutMs, async (inside) => {
      await inside.query('revoke all on schema public from public');
      const { rows } = await inside.query<{ super: boolean }>(
        'select rolsuper as super from pg_roles where rolname = current_user',
      );
      for (const service of services) {
        const role = databaseRoleFor(database, service);
        // A role that is not a superuser can give a schema only to a role it belongs to.
        if (!rows[0]?.super) await inside.query(`grant "${role}" to current_user`);
        if (isCopy) await inside.query(`reassign owned by "${databaseRoleFor(template, service)}" to "${role}"`);
        await inside.query(`create schema if not exists "${databaseSchemaOf(service)}" authorization "${role}"`);
        await inside.query(`revoke all on schema "${databaseSchemaOf(service)}" from public`);
      }
    });
  });

  const urls = services.map((service) => [
    service,
    urlFor(admin, { database, user: databaseRoleFor(database, service), password: passwordOf(service) }),
  ]);
  return Object.fromEntries(urls) as Record<Service, string>;
}

/** Drops a provisioned database and its roles, even if clients are connected. For tests. */
export async function dropDatabase(adminUrl: string | Secret, database: string): Promise<void> {
  checkName(database);
  await withClient(reveal(adminUrl), 0, async (client) => {
    await client.query('select pg_advisory_lock($1)', [provisioningLock]);
    await client.query(`drop database if exists "${database}" with (force)`);
    const { rows } = await client.query<{ rolname: string }>(
      `select rolname from pg_roles where starts_with(rolname, $1)`,
      [`${database}_`],
    );
    for (const { rolname } of rows) await client.query(`drop role if exists "${rolname}"`);
  });
}
