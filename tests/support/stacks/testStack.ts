import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDb, dropDatabase } from '@nolo/kit/db';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import type { RateLimitName } from '@nolo/rules';
import { TestSocket, readTestServerAddresses, createUniqueName, type TestServerAddresses } from '@nolo/testing';
import { startStack, type Stack, type StackOptions } from '../../../scripts/stack.ts';

/** Nolo for tests to query. */
export interface TestStackAccess {
  /** Gateway addresses. */
  urls: string[];
  /** Clears the counters of these limits. */
  forgetLimits(...names: RateLimitName[]): Promise<void>;
  /** Makes a user an operator, as the command line does. */
  letIn(userId: string): Promise<void>;
  /** Sets when a user's sessions were last proven. */
  prove(userId: string, when: 'now' | 'yesterday'): Promise<void>;
}

/** Shared Nolo of several files, as JSON between their processes. */
export interface SharedTestStack {
  name: string;
  urls: string[];
  simulatorsUrl: string;
  /** Initial process ids, by service name. */
  pids: Record<string, number | undefined>;
  /** Folder with its files and logs. */
  home: string;
  /** Environment for identity's command line. */
  adminEnv: Record<string, string>;
  /** Environment for the gateway's command line. */
  gatewayAdminEnv: Record<string, string>;
}

/** Separate Nolo of one test. */
export interface TestStack extends TestStackAccess {
  /** Name of its database, and prefix of its keys and subjects. */
  name: string;
  home: string;
  stack: Stack;
  stop(): Promise<void>;
}

/**
 * Starts every service as a separate process, on the servers that the run shares, but with its own database and
 * prefixes.
 */
export async function startTestStack(
  options: Pick<
    StackOptions,
    'gateways' | 'gatewayModule' | 'media' | 'transcription' | 'social' | 'billing' | 'webhooks' | 'env' | 'replicas'
  > & {
    /** Replaces the addresses of the shared servers, for connections that can be cut. */
    backing?: Omit<TestServerAddresses, 'databaseTemplate'>;
  } = {},
): Promise<TestStack> {
  const backing = options.backing ?? readTestServerAddresses();
  const name = createUniqueName('stack');
  const home = await mkdtemp(join(tmpdir(), 'nolo-stack-'));
  const started = await startStack({
    home,
    backing,
    database: name,
    template: readTestServerAddresses().databaseTemplate,
    web: false,
    gateways: options.gateways ?? 1,
    media: options.media ?? false,
    transcription: options.transcription ?? false,
    social: options.social ?? false,
    billing: options.billing ?? false,
    webhooks: options.webhooks ?? false,
    ...(options.replicas !== undefined && { replicas: options.replicas }),
    ...(options.gatewayModule !== undefined && { gatewayModule: options.gatewayModule }),
    environment: getTestEnv(),
    env: {
      REDIS_PREFIX: name,
      NATS_PREFIX: name,
      // Disables the limits of new accounts, because all test users are new.
      NEW_ACCOUNT_HOURS: '0',
      ...options.env,
    },
  }).catch((error: unknown) => {
    rmSync(home, { recursive: true, force: true });
    throw error;
  });
  const identity = openIdentity(name);
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await identity.close();
    await started.stop();
    await dropDatabase(readTestServerAddresses().databaseUrl, name);
    rmSync(home, { recursive: true, force: true });
  };
  return {
    name,
    home,
    urls: started.urls,
    stack: started,
    forgetLimits: (...names) => forgetLimits(backing.redisUrl, name, names),
    letIn: identity.letIn,
    prove: identity.prove,
    stop: () => (stopping ??= stop()),
  };
}

/**
 * Returns the Nolo that all files of tests/integration share, with two gateways, one media node, and simulated
 * transcription and social platforms. Starting one takes several seconds of CPU. A test that restarts a service,
 * changes the setup or counts everyone's actions starts its own.
 */
export function openSharedTestStack(): TestStackAccess & SharedTestStack {
  const shared = process.env[sharedStackVariable];
  if (!shared) throw new Error('The files of tests/integration need a running Nolo. Run them with npm test.');
  const stack = JSON.parse(shared) as SharedTestStack;
  const { name } = stack;
  const identity = openIdentity(name);
  // The Nolo outlives the file, and so would the sockets.
  afterAll(async () => {
    TestSocket.cutAll();
    await identity.close();
  });
  return {
    ...stack,
    forgetLimits: (...names) => forgetLimits(readTestServerAddresses().redisUrl, name, names),
    letIn: identity.letIn,
    prove: identity.prove,
  };
}

/** Environment variable with the data for `openSharedTestStack`, as JSON. */
export const sharedStackVariable = 'NOLO_TEST_STACK';

/** Changes identity's data directly, for states that no test could wait for. Connects at the first use. */
function openIdentity(database: string): Pick<TestStackAccess, 'letIn' | 'prove'> & { close(): Promise<void> } {
  const url = new URL(readTestServerAddresses().databaseUrl);
  url.pathname = `/${database}`;
  const db = createDb({ url: url.toString(), schema: 'identity' });
  return {
    async letIn(userId) {
      await db('operators').insert({ user_id: userId, since: new Date() });
    },
    async prove(userId, when) {
      const at = new Date(Date.now() - (when === 'now' ? 0 : 86_400_000));
      await db('sessions').where({ user_id: userId }).update({ proven_at: at });
    },
    close: () => db.destroy(),
  };
}

async function forgetLimits(redisUrl: string, prefix: string, names: readonly RateLimitName[]): Promise<void> {
  const redis = await connectRedis({ url: redisUrl, prefix, log: createLog({ service: 'test' }) });
  for (const limit of names) {
    const keys = await redis.keys(`${prefix}:limit:${limit}:*`);
    if (keys.length > 0) await redis.unlink(...keys.map((key) => key.slice(prefix.length + 1)));
  }
  await closeRedis(redis);
}

/** Returns the machine's environment, without the settings of a developer's own instance. */
export function getTestEnv(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TZ', 'XDG_CACHE_HOME', 'MEDIASOUP_WORKER_BIN', 'NOLO_TEST_RUN'];
  return Object.fromEntries(kept.map((name) => [name, process.env[name]]));
}
