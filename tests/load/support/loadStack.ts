import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDb, type Knex } from '@nolo/kit/db';
import { createLog, type Log } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import { deleteBackingData } from '../../../scripts/backingServices.ts';
import { listenForInterruption } from '../../../scripts/interruption.ts';
import { createConsoleProgress } from '../../../scripts/progress.ts';
import { startBackingServices, startStack, type BackingServices, type Stack } from '../../../scripts/stack.ts';
import { describeConditions, printLine } from './measure.ts';

const prefix = 'load';

export interface LoadStack {
  url: string;
  stack: Stack;
  backing: BackingServices;
  natsPrefix: string;
  log: Log;
  /** Returns the process id of a service. */
  pid(service: string): number;
  /** Opens a connection with the role of a service, for filling its tables. The stack closes it. */
  database(service: string, poolMax?: number): Knex;
  /**
   * Repeatedly clears the rate limit counters of these accounts: the measured path still counts, but never refuses. A
   * few accounts can then do what takes thousands of users.
   */
  liftLimits(userIds: readonly string[]): Promise<() => Promise<void>>;
}

/**
 * Starts everything in its own folder, stores included, measures, and removes it again. The result of `work` is the
 * exit code. Postgres waits for the disk, as in production.
 */
export async function measureOnStack(
  title: string,
  work: (stack: LoadStack) => Promise<number | void>,
  options: {
    gateways?: number;
    web?: boolean;
    /** Number of media nodes; true for one. */
    media?: boolean | number;
    billing?: boolean;
    webhooks?: boolean;
    env?: Record<string, string>;
    /** Sets up the stores before the services start. */
    prepare?: (backing: BackingServices) => Promise<void>;
  } = {},
): Promise<void> {
  const interruption = listenForInterruption();
  interruption.handled = true;
  const home = await mkdtemp(join(tmpdir(), 'nolo-load-'));
  const log = createLog({ service: 'load', level: 'warn' });
  const databases: Knex[] = [];
  const nodeOptions = process.env['LOAD_NODE_OPTIONS'];
  let backing: BackingServices | undefined;
  let stack: Stack | undefined;
  const run = async () => {
    const progress = createConsoleProgress(process.stdout);
    const stores = await startBackingServices({ home, progress, environment: {} });
    backing = stores;
    await options.prepare?.(stores);
    const started = await startStack({
      home,
      backing: stores,
      web: options.web ?? false,
      media: options.media ?? false,
      billing: options.billing ?? false,
      webhooks: options.webhooks ?? false,
      gateways: options.gateways ?? 1,
      progress,
      env: {
        REDIS_PREFIX: prefix,
        NATS_PREFIX: prefix,
        LOG_LEVEL: 'warn',
        // Allows inspecting a service during the measurement, for example with --import and a profiler.
        ...(nodeOptions && { NODE_OPTIONS: nodeOptions }),
        ...options.env,
      },
    });
    stack = started;
    printLine(`\n${title}\n${describeConditions()}`);
    const code = await work({
      url: (started.urls[0] ?? '').replace('localhost', '127.0.0.1'),
      stack: started,
      backing: stores,
      natsPrefix: prefix,
      log,
      pid: (service) => {
        const { pid } = started.service(service);
        if (pid === undefined) throw new Error(`${service} is not running.`);
        return pid;
      },
      database: (service, poolMax = 2) => {
        const url = started.databaseUrls[service] ?? '';
        const database = createDb({ url, schema: service, poolMax, statementTimeoutMs: 900_000 });
        databases.push(database);
        return database;
      },
      liftLimits: async (userIds) => await liftLimits(stores.redisUrl, log, userIds),
    });
    printLine(describeConditions());
    return code ?? 0;
  };
  try {
    process.exitCode = await Promise.race([run(), interruption.happened]);
  } finally {
    // Closing is not awaited: a failed measurement may still hold connections.
    for (const database of databases) void database.destroy();
    await stack?.stop();
    await backing?.stop();
    await interruption.cleanUp();
    // Running as root puts the stores in another folder.
    deleteBackingData(home);
    rmSync(home, { recursive: true, force: true });
  }
  // Open sockets and timers of an interrupted measurement must not keep the process alive.
  process.exit();
}

async function liftLimits(redisUrl: string, log: Log, userIds: readonly string[]): Promise<() => Promise<void>> {
  const redis = await connectRedis({ url: redisUrl, log, prefix });
  const lifted = [
    'messagesPerUser:edge',
    'requestsPerUser:edge',
    'socketsPerUser:edge',
    // Accounts of a measurement are new.
    'conversationStartsPerUserDay:edge',
    'conversationStartsPerUserDay:edge:new',
  ];
  const keys = userIds.flatMap((id) => lifted.map((place) => `limit:${place}:${id}`));
  let stopped = false;
  const forget = async () => {
    while (!stopped) {
      await redis.unlink(...keys);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  // An interrupted measurement stops Redis; a continuing one would soon hit a limit.
  const running = forget().catch(() => undefined);
  return async () => {
    stopped = true;
    await running;
    await closeRedis(redis);
  };
}
