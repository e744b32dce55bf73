import { randomBytes } from 'node:crypto';
import { createDb, dropDatabase, provisionDatabase } from '@nolo/kit/db';
import { Redis } from 'ioredis';

/** Addresses of the real servers that a test run shares. `npm test` starts them and sets the addresses. */
export interface TestServerAddresses {
  /** URL of an administrator, who may create databases and roles. */
  databaseUrl: string;
  redisUrl: string;
  natsUrl: string;
  /** Database with the schemas of all services, to be copied; it accepts no connections. */
  databaseTemplate: string;
}

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set. This test needs real servers: run it with npm test.`);
  return value;
}

export function readTestServerAddresses(): TestServerAddresses {
  return {
    databaseUrl: fromEnvironment('NOLO_TEST_DATABASE_URL'),
    redisUrl: fromEnvironment('NOLO_TEST_REDIS_URL'),
    natsUrl: fromEnvironment('NOLO_TEST_NATS_URL'),
    databaseTemplate: fromEnvironment('NOLO_TEST_DATABASE_TEMPLATE'),
  };
}

/** Returns a name that no other test of any run uses: for a database, a key prefix, a subject prefix. */
export function createUniqueName(purpose = 'test'): string {
  return `${purpose}_${randomBytes(6).toString('hex')}`;
}

export interface TestDatabase<Service extends string> {
  name: string;
  /** Database URL of each service with its own role, as in production. */
  urls: Record<Service, string>;
  /** Drops the database and its roles, even if clients are connected. Idempotent. */
  drop(): Promise<void>;
}

/**
 * Creates a database for one test, provisioned like the real one. Create it in beforeAll and drop it in afterAll, which
 * fails if transactions deadlocked: services take their locks in one order.
 *
 * @param template a database with the schemas of these services to start from; without it they are empty.
 */
export async function createTestDatabase<Service extends string>(
  services: readonly Service[],
  template?: string,
  { mayDeadlock = false } = {},
): Promise<TestDatabase<Service>> {
  const { databaseUrl } = readTestServerAddresses();
  const name = createUniqueName();
  const urls = await provisionDatabase(databaseUrl, name, services, name, { template });
  const finish = async () => {
    const deadlocks = await countDeadlocks(databaseUrl, name);
    await dropDatabase(databaseUrl, name);
    if (!mayDeadlock) assertNoDeadlock(deadlocks);
  };
  let dropping: Promise<void> | undefined;
  return { name, urls, drop: () => (dropping ??= finish()) };
}

/**
 * Counts deadlocks in one database, or in all of a server, since its statistics began. A session reports its statistics
 * when it ends, or after a second without work.
 */
export async function countDeadlocks(databaseUrl: string, name?: string): Promise<number> {
  const db = createDb({ url: databaseUrl, schema: 'public', poolMax: 1 });
  try {
    const { rows } = (await db.raw(
      'select coalesce(sum(deadlocks), 0)::int as deadlocks from pg_stat_database where datname = coalesce(?, datname)',
      [name ?? null],
    )) as { rows: [{ deadlocks: number }] };
    return rows[0].deadlocks;
  } finally {
    await db.destroy();
  }
}

/** Fails on any deadlock, because services take their locks in one order. */
export function assertNoDeadlock(count: number): void {
  if (count > 0) throw new Error(`PostgreSQL aborted ${count} transactions because of a deadlock.`);
}

export interface TestEnvironment<Service extends string> extends TestDatabase<Service> {
  redisUrl: string;
  redisPrefix: string;
  natsUrl: string;
  natsPrefix: string;
  /** Common variables of one service, to be completed with RPC_LISTEN and its own. */
  variablesFor(service: Service): Record<string, string>;
}

/**
 * Creates what a stack of services needs to be isolated on shared servers: its own database with the schemas of all
 * services, and its own prefix on Redis and NATS. drop() removes the database and the keys.
 */
export async function createTestEnvironment<Service extends string>(
  services: readonly Service[],
): Promise<TestEnvironment<Service>> {
  const { redisUrl, natsUrl, databaseTemplate } = readTestServerAddresses();
  const database = await createTestDatabase(services, databaseTemplate);
  const prefix = database.name;
  const removeAll = async () => {
    await Promise.all([database.drop(), removeKeys(redisUrl, prefix)]);
  };
  let dropping: Promise<void> | undefined;
  return {
    ...database,
    redisUrl,
    redisPrefix: prefix,
    natsUrl,
    natsPrefix: prefix,
    drop: () => (dropping ??= removeAll()),
    variablesFor: (service) => ({
      NOLO_MODE: 'demo',
      LOG_LEVEL: 'warn',
      DATABASE_URL: database.urls[service],
      REDIS_URL: redisUrl,
      REDIS_PREFIX: prefix,
      NATS_URL: natsUrl,
      NATS_PREFIX: prefix,
    }),
  };
}

/** Removes keys that a test left behind, by their prefix. */
async function removeKeys(redisUrl: string, prefix: string): Promise<void> {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
  redis.on('error', () => undefined);
  try {
    let cursor = '0';
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `${prefix}:*`, 'COUNT', 500);
      if (keys.length > 0) await redis.unlink(...keys);
      cursor = next;
    } while (cursor !== '0');
  } finally {
    redis.disconnect();
  }
}
