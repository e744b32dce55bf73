import { readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDb, type Knex } from '@nolo/kit/db';
import { createLog } from '@nolo/kit/log';
import { eventually } from '@nolo/testing';
import { closeRedis, connectRedis, type Redis } from '@nolo/kit/redis';
import { deleteBackingData } from '../../../scripts/backingServices.ts';
import { startBackingServices, startStack, type BackingServices, type Stack } from '../../../scripts/stack.ts';
import { FaultProxy } from './faultProxy.ts';
import { getTestEnv } from './testStack.ts';

/** Separate Nolo whose stores can fail in every way. */
export interface StoreFailureStack {
  urls: string[];
  backing: BackingServices;
  stack: Stack;
  /** Fault line between the services and Postgres. */
  proxy: FaultProxy;
  /** Direct connection as the administrator of the services' database. */
  admin: Knex;
  redis: Redis;
  filesFolder: string;
  /** Stops a store's process where it is, or lets it continue. */
  freeze(store: 'redis' | 'nats'): void;
  thaw(store: 'redis' | 'nats'): void;
  /** Limits chat's connections to Postgres, after ending the existing ones. -1 means no limit. */
  limitConnections(count: number): Promise<void>;
  /** Ends all faults of the stores. */
  heal(): Promise<void>;
  /** Returns the process ids of all services, to detect restarts. */
  pids(): (number | undefined)[];
  /** Returns the status of a service's own probe address. */
  probe(service: string, path: '/livez' | '/readyz'): Promise<number>;
  /** Returns a service's dependencies as reported to Prometheus: 1 or 0. */
  dependencies(service: string): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

const services = ['gateway', 'gateway2', 'identity', 'chat', 'files'] as const;

/** @param prepare receives the folder before anything is started. */
export async function startStoreFailureStack(
  prepare: (home: string) => void = () => undefined,
): Promise<StoreFailureStack> {
  const home = await mkdtemp(join(tmpdir(), 'nolo-sick-'));
  // When started by root, Postgres runs as another user, which needs access to its data.
  await chmod(home, 0o711);
  prepare(home);
  const environment = getTestEnv();
  const ends: (() => Promise<unknown> | void)[] = [
    () => {
      deleteBackingData(home);
      rmSync(home, { recursive: true, force: true });
    },
  ];
  const stop = async () => {
    for (let end = ends.pop(); end; end = ends.pop()) await end();
  };
  try {
    const backing = await startBackingServices({ home, environment });
    ends.push(() => backing.stop());
    const proxy = await FaultProxy.open(backing.databaseUrl);
    ends.push(() => proxy.close());
    const stack = await startStack({
      home,
      backing: { ...backing, databaseUrl: proxy.url },
      gateways: 2,
      social: false,
      web: false,
      environment,
    });
    ends.push(async () => {
      proxy.mend();
      for (const store of ['redis', 'nats'] as const) signal(store, 'SIGCONT');
      await stack.stop();
    });
    const adminUrl = new URL(backing.databaseUrl);
    adminUrl.pathname = new URL(stack.databaseUrls['chat'] ?? '').pathname;
    const admin = createDb({ url: adminUrl.href, schema: 'chat' });
    ends.push(() => admin.destroy());
    const log = createLog({ service: 'test', level: 'silent' });
    const redis = await connectRedis({ url: backing.redisUrl, log });
    ends.push(() => closeRedis(redis));

    const signal = (store: 'redis' | 'nats', name: NodeJS.Signals) => {
      const pid = backing[store].pid();
      if (pid !== undefined) process.kill(pid, name);
    };
    const limitConnections = async (count: number) => {
      const role = decodeURIComponent(new URL(stack.databaseUrls['chat'] ?? '').username);
      await admin.raw(`alter role ?? connection limit ${count}`, [role]);
      if (count >= 0)
        await admin.raw('select pg_terminate_backend(pid) from pg_stat_activity where usename = ?', [role]);
    };
    const requestService = (service: string, path: string) => {
      // The launcher passes the chosen port to the service only.
      const environ = readFileSync(`/proc/${stack.service(service).pid}/environ`, 'utf8').split('\0');
      const place = environ.find((entry) => entry.startsWith('METRICS_LISTEN='))?.slice('METRICS_LISTEN='.length);
      return fetch(`http://${place}${path}`);
    };
    return {
      urls: stack.urls,
      backing,
      stack,
      proxy,
      admin,
      redis,
      filesFolder: join(home, 'files'),
      freeze: (store) => signal(store, 'SIGSTOP'),
      thaw: (store) => signal(store, 'SIGCONT'),
      limitConnections,
      async heal() {
        proxy.mend();
        for (const store of ['redis', 'nats'] as const) signal(store, 'SIGCONT');
        await backing.postgres.start();
        await limitConnections(-1);
        await eventually(() => redis.config('SET', 'maxmemory', 0));
      },
      pids: () => services.map((name) => stack.service(name).pid),
      probe: async (service, path) => (await requestService(service, path)).status,
      async dependencies(service) {
        const text = await (await requestService(service, '/metrics')).text();
        const samples = text.matchAll(/^nolo_dependency_up\{.*?dependency="(\w+)".*\} (\d)$/gm);
        return Object.fromEntries([...samples].map(([, name, value]) => [name, Number(value)]));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
