import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDb, type Knex } from '@nolo/kit/db';
import { createLog, type Log } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import { forgetBacking } from '../../../scripts/backing.ts';
import { listenForInterruption } from '../../../scripts/interruption.ts';
import { consoleProgress } from '../../../scripts/progress.ts';
import { startBacking, startStack, type Backing, type Stack } from '../../../scripts/stack.ts';
import { conditions, say } from './measure.ts';

const prefix = 'load';

export interface LoadStack {
  url: string;
  stack: Stack;
  backing: Backing;
  natsPrefix: string;
  log: Log;
  /** The process of a service. */
  pid(service: string): number;
  /** A connection with the role of a service, for filling its tables; ended with the stack. */
  database(service: string, poolMax?: number): Knex;
  /**
   * Forgets what was counted against accounts, again and again: the measured path counts as always, and nobody is ever
   * refused. A few accounts can then do what takes thousands of people.
   */
  liftLimits(userIds: readonly string[]): Promise<() => Promise<void>>;
}

/**
 * Brings everything up in a folder of its own, stores included, measures, and takes it all away again. What `work` answers
 * is the exit code. Postgres waits
 * for the disk, as in production.
 */
export async function measureOnStack(
  title: string,
  work: (stack: LoadStack) => Promise<number | void>,
  options: {
    gateways?: number;
    web?: boolean;
    /** How many media nodes, true for one. */
    media?: boolean | number;
    billing?: boolean;
    webhooks?: boolean;
    env?: Record<string, string>;
    /** Sets the stores up before the services come. */
    prepare?: (backing: Backing) => Promise<void>;
  } = {},
): Promise<void> {
  const interruption = listenForInterruption();
  interruption.handled = true;
  const home = await mkdtemp(join(tmpdir(), 'nolo-load-'));
  const log = createLog({ service: 'load', level: 'warn' });
  const databases: Knex[] = [];
  const nodeOptions = process.env['LOAD_NODE_OPTIONS'];
  let backing: Backing | undefined;
  let stack: Stack | undefined;
  const run = async () => {
    const progress = consoleProgress(process.stdout);
    const stores = await startBacking({ home, progress, environment: {} });
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
        // To look inside a service while it is measured, for example with --import and a profiler.
        ...(nodeOptions && { NODE_OPTIONS: nodeOptions }),
        ...options.env,
      },
    });
    stack = started;
    say(`\n${title}\n${conditions()}`);
    const code = await work({
      url: (started.urls[0] ?? '').replace('localhost', '127.0.0.1'),
      stack: started,
      backing: stores,
      natsPrefix: prefix,
      log,
      pid: (service) => {
        const { pid } = started.service(service);
        if (pid === undefined) throw new Error(`${service} does not run.`);
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
    say(conditions());
    return code ?? 0;
  };
  try {
    process.exitCode = await Promise.race([run(), interruption.happened]);
  } finally {
    // Not waited for: a measurement that failed may still hold connections.
    for (const database of databases) void database.destroy();
    await stack?.stop();
    await backing?.stop();
    await interruption.cleanUp();
    // Under root the stores lie elsewhere.
    forgetBacking(home);
    rmSync(home, { recursive: true, force: true });
  }
  // Sockets and timers of a measurement that was cut short are no reason to stay.
  process.exit();
}

async function liftLimits(redisUrl: string, log: Log, userIds: readonly string[]): Promise<() => Promise<void>> {
  const redis = await connectRedis({ url: redisUrl, log, prefix });
  const keys = userIds.flatMap((id) =>
    ['messagesPerUser', 'requestsPerUser', 'socketsPerUser'].map((name) => `limit:${name}:edge:${id}`),
  );
  let stopped = false;
  const forget = async () => {
    while (!stopped) {
      await redis.unlink(...keys);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  // A measurement that is cut short takes Redis away; one that goes on would soon be told of a limit.
  const running = forget().catch(() => undefined);
  return async () => {
    stopped = true;
    await running;
    await closeRedis(redis);
  };
}
