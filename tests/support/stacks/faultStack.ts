import { rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDb } from '@nolo/kit/db';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import { countDeadlocks, demandNoDeadlock, TestApi } from '@nolo/testing';
import { deleteBackingData } from '../../../scripts/backingServices.ts';
import {
  startBackingServices,
  startStack,
  type BackingServices,
  type ReplicaOptions,
  type Stack,
} from '../../../scripts/stack.ts';
import { FaultProxy } from './faultProxy.ts';
import { startServicePairs, type ServicePairs } from './servicePairs.ts';
import { getTestEnv } from './testStack.ts';

/** Processes that can be taken down. */
export const faultTargets = ['gateway', 'gateway2', 'chat', 'identity', 'nats', 'redis', 'postgres'] as const;
/** Processes that can be taken down if each service has two. */
export const pairedFaultTargets = [...faultTargets, 'chat2', 'identity2'] as const;
export type FaultTarget = (typeof pairedFaultTargets)[number];

/** Services that a chat does not need; only tests of meetings name them. */
type MeetingVictim = 'meetings' | 'media-sfu' | 'media-sfu2';

/** Connections that can be cut and slowed: from clients to gateways, and from services to stores. */
export const faultProxyNames = ['gateway', 'gateway2', 'postgres', 'redis', 'nats'] as const;
export type FaultProxyName = (typeof faultProxyNames)[number];

export interface FaultStack {
  /** Addresses of the gateways for clients, through their fault lines if there are any. */
  urls: string[];
  /** Direct addresses of the gateways. */
  gateways: string[];
  /** Metrics address of each service, by its name. */
  metricsUrls: Readonly<Record<string, string>>;
  /** Returns a fault line. Throws if the stack was started without them. */
  proxy(name: FaultProxyName): FaultProxy;
  /** Kills a process and leaves it down. Postgres is stopped in immediate mode. */
  takeDown(victim: FaultTarget | MeetingVictim): Promise<void>;
  bringBack(victim: FaultTarget | MeetingVictim): Promise<void>;
  /** Stops a service cleanly and starts it again. */
  restart(victim: Exclude<FaultTarget, 'nats' | 'redis' | 'postgres'> | MeetingVictim): Promise<void>;
  /** Deletes all data in Redis without closing its connections. */
  emptyRedis(): Promise<void>;
  /** Runs statements with the role of a service, bypassing the fault line. */
  sql(service: string, statements: string): Promise<void>;
  stop(): Promise<void>;
}

export interface FaultStackOptions {
  /** True if connections can be cut. */
  hasProxies?: boolean;
  /** Number of media nodes. */
  media?: number;
  /** Settings of two processes of each service that supports it, the first and the second. */
  pair?: (service: string) => readonly [ReplicaOptions, ReplicaOptions];
}

/**
 * Starts a separate Nolo with its own databases, in which every process can be killed, and every connection cut if
 * `hasProxies` is set.
 */
export async function startFaultStack(options: FaultStackOptions = {}): Promise<FaultStack> {
  const { hasProxies: isProxied = false, media = 0, pair } = options;
  const home = await mkdtemp(join(tmpdir(), 'nolo-faults-'));
  // When started by root, Postgres runs as another user, which needs access to its data.
  await chmod(home, 0o711);
  const forget = () => {
    deleteBackingData(home);
    rmSync(home, { recursive: true, force: true });
  };
  let backing: BackingServices | undefined;
  let stack: Stack | undefined;
  const proxies = new Map<FaultProxyName, FaultProxy>();
  const urls: string[] = [];
  let pairs: ServicePairs | undefined;
  const stop = async () => {
    for (const proxy of proxies.values()) proxy.mend();
    await stack?.stop();
    await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
    await pairs?.stop();
    // If Postgres is down, its counters are lost.
    const deadlocks = backing ? await countDeadlocks(backing.databaseUrl).catch(() => 0) : 0;
    await backing?.stop();
    forget();
    demandNoDeadlock(deadlocks);
  };
  const throughProxy = async (name: FaultProxyName, target: string): Promise<string> => {
    if (!isProxied) return target;
    const proxy = await FaultProxy.open(target);
    proxies.set(name, proxy);
    return proxy.url;
  };
  try {
    // Runs with fsync, because the test is about what survives.
    backing = await startBackingServices({ home, environment: getTestEnv() });
    const reached = {
      databaseUrl: await throughProxy('postgres', backing.databaseUrl),
      redisUrl: await throughProxy('redis', backing.redisUrl),
      natsUrl: await throughProxy('nats', backing.natsUrl),
      dataFolder: backing.dataFolder,
    };
    pairs = pair && (await startServicePairs(pair));
    stack = await startStack({
      home,
      backing: reached,
      gateways: 2,
      ...(pairs && { replicas: pairs.replicas, rpcPorts: pairs.rpcPorts }),
      media,
      social: false,
      web: false,
      environment: getTestEnv(),
      // People of a run are new, and do more in an hour than new accounts may in a day.
      env: { MEDIA_WORKERS: '1', NEW_ACCOUNT_HOURS: '0' },
    });
    urls.push(await throughProxy('gateway', stack.urls[0] ?? ''), await throughProxy('gateway2', stack.urls[1] ?? ''));
  } catch (error) {
    await stop();
    throw error;
  }
  const stores = backing;
  const services = stack;
  let stopping: Promise<void> | undefined;
  return {
    urls,
    gateways: stack.urls,
    metricsUrls: stack.metricsUrls,
    proxy(name) {
      const proxy = proxies.get(name);
      if (!proxy) throw new Error('This stack was started without connections that can be cut.');
      return proxy;
    },
    async takeDown(victim) {
      if (victim === 'postgres') await stores.postgres.stop('immediate');
      else if (victim === 'nats' || victim === 'redis') await stores[victim].kill('SIGKILL');
      else await services.service(victim).kill('SIGKILL', { hold: true });
    },
    async bringBack(victim) {
      if (victim === 'postgres' || victim === 'nats' || victim === 'redis') await stores[victim].start();
      else await services.service(victim).start();
    },
    async emptyRedis() {
      const redis = await connectRedis({
        url: stores.redisUrl,
        log: createLog({ service: 'faults', level: 'silent' }),
      });
      await redis.flushall();
      await closeRedis(redis);
    },
    async sql(service, statements) {
      const url = new URL(services.databaseUrls[service] ?? '');
      url.host = new URL(stores.databaseUrl).host;
      const database = createDb({ url: url.href, schema: service, poolMax: 1 });
      try {
        await database.raw(statements);
      } finally {
        await database.destroy();
      }
    },
    restart: (victim) => services.service(victim).restart(),
    stop: () => (stopping ??= stop()),
  };
}

/** Fails, naming what is missing, unless everything is up and connected again. */
export async function requireHealth(url: string): Promise<true> {
  const { status, body } = await new TestApi(url).get('/healthz');
  if (status === 200) return true;
  throw new Error(`${url} is not healthy: ${JSON.stringify(body)}`);
}
