import { createHmac } from 'node:crypto';
import pg from 'pg';
import { reveal, type Secret } from './config.ts';
import { untilReachable } from './untilReachable.ts';

/** Any number will do, as long as everyone who provisions takes the same. */
const provisioningLock = 4_217_001;

export interface ProvisionOptions {
  /** How long a database that cannot be reached is waited for; not at all unless given. */
  timeoutMs?: number;
  /**
   * A database that this function made for the same services, and that nobody is connected to: a database that is
   * missing begins as a copy of it, with the roles of its own as owners. For tests; takes a superuser.
   */
  template?: string | undefined;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  // Without a listener a server that goes away between two queries would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function withClient<T>(url: string, timeoutMs: number, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await untilReachable(() => connect(url), timeoutMs);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function urlFor(adminUrl: string, parts: { database: string; user?: string; password?: string }): string {
  const url = new URL(adminUrl);
  url.pathname = `/${encodeURIComponent(parts.database)}`;
  if (parts.user !== undefined) url.username = encodeURIComponent(parts.user);
  if (parts.password !== undefined) url.password = encodeURIComponent(parts.password);
  return url.href;
}

/** The schema that a service owns: its name, as SQL and shells write names. */
export function schemaOf(service: string): string {
  return service.replaceAll('-', '_');
}

/** The role of a service in one database. */
export function roleFor(database: string, service: string): string {
  return `${database}_${schemaOf(service)}`;
}

function checkName(name: string): void {
  // 63 bytes is where PostgreSQL cuts names off, silently, so that two could become one.
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) {
    throw new Error(
      `"${name}" cannot be a database, schema or role name: lower-case letters, digits and _ only, 63 at most.`,
    );
  }
}

/**
 * Brings a database to the point where each service finds its own role and schema, and can reach no
 * one else's. Can be run again at any time, by several processes at once: it only adds what is
 * missing, and sets the passwords anew.
 *
 * Roles belong to the whole cluster, not to a database, so their names carry the database's:
 * several test databases live in one cluster.
 *
 * @param password one password per service, or a single secret from which each role's is derived
 *   (HMAC-SHA-256 of the role's name), so that an operator has to keep only one.
 * @returns each service's own address.
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
    return createHmac('sha256', seed).update(roleFor(database, service)).digest('base64url');
  };
  checkName(database);
  if (template !== undefined) checkName(template);
  for (const service of services) {
    checkName(schemaOf(service));
    checkName(roleFor(database, service));
  }

  await withClient(admin, timeoutMs, async (client) => {
    // Two at once would trip over "tuple concurrently updated". The lock ends with the connection.
    await client.query('select pg_advisory_lock($1)', [provisioningLock]);
    const { rowCount: databases } = await client.query('select 1 from pg_database where datname = $1', [database]);
    const isCopy = !databases && template !== undefined;
    if (!databases) await client.query(`create database "${database}"${isCopy ? ` template "${template}"` : ''}`);
    await client.query(`revoke all on database "${database}" from public`);
    for (const service of services) {
      const role = roleFor(database, service);
      const secret = client.escapeLiteral(passwordOf(service));
      const { rowCount: roles } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
      const verb = roles ? 'alter' : 'create';
      await client.query(`${verb} role "${role}" login nosuperuser nocreatedb nocreaterole password ${secret}`);
      await client.query(`grant connect, temporary on database "${database}" to "${role}"`);
      await client.query(`alter role "${role}" in database "${database}" set search_path = "${schemaOf(service)}"`);
    }
    await withClient(urlFor(admin, { database }), timeoutMs, async (inside) => {
      await inside.query('revoke all on schema public from public');
      const { rows } = await inside.query<{ super: boolean }>(
        'select rolsuper as super from pg_roles where rolname = current_user',
      );
      for (const service of services) {
        const role = roleFor(database, service);
        // Whoever is no superuser may give a schema only to a role it belongs to.
        if (!rows[0]?.super) await inside.query(`grant "${role}" to current_user`);
        if (isCopy) await inside.query(`reassign owned by "${roleFor(template, service)}" to "${role}"`);
        await inside.query(`create schema if not exists "${schemaOf(service)}" authorization "${role}"`);
        await inside.query(`revoke all on schema "${schemaOf(service)}" from public`);
      }
    });
  });

  const urls = services.map((service) => [
    service,
    urlFor(admin, { database, user: roleFor(database, service), password: passwordOf(service) }),
  ]);
  return Object.fromEntries(urls) as Record<Service, string>;
}

/** Takes a provisioned database and its roles away again, whoever is still connected. For tests. */
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
