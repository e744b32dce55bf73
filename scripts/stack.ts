import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBackingServices, type BackingServices } from './backingServices.ts';
import { openChildLogs, noLogPattern, type ChildLogs } from './childLog.ts';
import { provideBundledDependencies } from './dependencies/provideBundledDependencies.ts';
import { provideMediaWorker, type MediaWorker } from './mediaWorker/provideMediaWorker.ts';
import { findFreePort } from './ports.ts';
import { silentProgress, type Progress } from './progress.ts';
import { CommandError } from './commandError.ts';
import { provideInstanceSecrets } from './secrets.ts';
import {
  hasTranscriptionEngine,
  hasPaymentGateway,
  hasSocialPlatform,
  hasService,
  type InstanceSettings,
} from './serviceEnv.ts';
import { services } from './services.ts';
import { prepareDatabase } from './stackDatabase.ts';
import { formatReplicaName, StackProcesses, createSupervisorCallbacks } from './stackProcesses.ts';
import type { Supervision } from './supervisor.ts';
import { buildWeb } from './webBuild.ts';

export { startBackingServices, type BackingServices };

/** Process of a service. */
export interface ReplicaOptions {
  /** Variables added to its environment, overriding all others. */
  env?: Record<string, string>;
  /** Root of the checkout to run it from, instead of this one. */
  root?: string;
}

export interface StackOptions {
  /** Folder for data, logs and secrets. */
  home: string;
  /** Stores for the services. Absent: private ones are started, and stopped with the stack. */
  backing?: Pick<BackingServices, 'databaseUrl' | 'redisUrl' | 'natsUrl'> & { dataFolder?: string | undefined };
  /** Database name, created if missing. Default: the one in its URL, or "nolo". */
  database?: string;
  /** Template for tests: a database with the schemas of all services. A missing database starts as its copy. */
  template?: string;
  /** Number of gateways. Default: 1. */
  gateways?: number;
  /** Number of media nodes that are up before the stack is ready; true for one. Default: none, see `startMedia`. */
  media?: boolean | number;
  /** True to transcribe voice notes with the simulated engine, ignoring the environment; for tests. */
  transcription?: boolean;
  /** True to enable posts to social platforms, simulated unless the environment names some. Default: true. */
  social?: boolean;
  /** True to enable plans and payments, simulated unless the environment names gateways. Default: false. */
  billing?: boolean;
  webhooks?: boolean;
  /** Path of a module to run instead of the gateway, from the root of the checkout; for tests. */
  gatewayModule?: string;
  /** Variables added to the environment of every service, overriding the launcher's. */
  env?: Record<string, string>;
  /** Processes of a service by its name, instead of one ordinary process or `gateways` of them; for tests. */
  replicas?: Readonly<Record<string, readonly ReplicaOptions[]>>;
  /** Ports for calls to a service, by its name, if not those of its only process; for tests. */
  rpcPorts?: Readonly<Record<string, number>>;
  /** Person's environment, the source of settings. */
  environment?: NodeJS.ProcessEnv;
  /** Host of the first gateway. Default: a free port on loopback. */
  host?: string;
  port?: number;
  publicUrl?: string;
  /** True to build the web app if it is outdated. Default: true. */
  web?: boolean;
  progress?: Progress;
  logs?: ChildLogs;
  onGiveUp?: (reason: CommandError) => void;
  onNotice?: (line: string) => void;
}

export interface Stack {
  /** URL of each gateway. */
  urls: string[];
  simulatorsUrl: string;
  backing: Pick<BackingServices, 'databaseUrl' | 'redisUrl' | 'natsUrl'>;
  /** Database URLs, one for each service's own role. */
  databaseUrls: Record<string, string>;
  /** URLs of /metrics of each service, by its name as below. */
  metricsUrls: Record<string, string>;
  /** Facts for another process of this Nolo; for tests that start their own gateway. */
  around: InstanceSettings;
  /** Returns a service by its name: that of its folder, numbered ("gateway2", "media-sfu2") if there are several. */
  service: (name: string) => Supervision;
  /** Adds a media node. If it cannot continue, it is given up with a notice, and the rest stays up. */
  startMedia: (worker: MediaWorker) => Promise<void>;
  stop: () => Promise<void>;
}

/** Migrates the database and starts every service. Resolves once they are ready. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const progress = options.progress ?? silentProgress;
  mkdirSync(options.home, { recursive: true, mode: 0o711 });
  const logs = options.logs ?? openChildLogs(options.home);
  const supervised = new Map<string, Supervision>();
  const ownBacking =
    options.backing === undefined
      ? await startBackingServices({ home: options.home, logs, ...createSupervisorCallbacks(options) })
      : undefined;

  async function stop(): Promise<void> {
    const gateways = [...supervised.values()].filter((unit) => unit.name.startsWith('gateway'));
    const others = [...supervised.values()].filter((unit) => !unit.name.startsWith('gateway'));
    // Gateways stop first, so that no request finds the services behind them gone.
    await Promise.all(gateways.map(async (unit) => await unit.stop()));
    await Promise.all(others.map(async (unit) => await unit.stop()));
    await ownBacking?.stop();
    if (options.logs === undefined) logs.close();
  }

  try {
    const backing = options.backing ?? ownBacking;
    if (backing === undefined) throw new Error('The services have no backing services.');
    return await bringUp(options, backing, logs, supervised, progress, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Services with a single process. Gateways and media nodes have a configurable number. */
const inner = services.map(({ name }) => name).filter((name) => name !== 'gateway' && name !== 'media-sfu');

async function bringUp(
  options: StackOptions,
  backing: NonNullable<StackOptions['backing']>,
  logs: ChildLogs,
  supervised: Map<string, Supervision>,
  progress: Progress,
  stop: () => Promise<void>,
): Promise<Stack> {
  const gateways = await placeGateways(options);
  const publicUrls = gateways.map((gateway) => gateway.publicUrl);
  const around: InstanceSettings = {
    ...(await surround(options, backing, publicUrls)),
    dependencies: await provideBundledDependencies(progress, logs.of('dependencies', noLogPattern)),
  };
  const processes = new StackProcesses(options, around, logs, supervised);
  const simulators = processes.run('simulators', 'simulators');
  // The promise is awaited later; until then its failure must not count as an unhandled rejection.
  simulators.catch(() => undefined);
  const web = options.web === false ? undefined : buildWeb(progress, logs.of('web', noLogPattern));
  web?.catch(() => undefined);
  const mediaWanted = Number(options.media ?? 0);
  const worker =
    mediaWanted > 0 ? provideMediaWorker({ progress, environment: around.environment }) : Promise.resolve(undefined);
  worker.catch(() => undefined);

  await progress.step(
    'Database',
    async () => await prepareDatabase(options, backing, around, logs),
    (migrated) => (migrated ? 'provisioned and migrated' : 'up to date'),
  );
  await web;
  const mediaWorker = await worker;
  await progress.step(
    'Services',
    async () => {
      await Promise.all([
        simulators,
        // Disabled services are migrated, too, because their tables belong to the database.
        ...inner
          .filter((kind) => hasService(kind, around))
          .flatMap((kind) => {
            const replicas = options.replicas?.[kind] ?? [{}];
            return replicas.map(async (replica, index) => {
              await processes.run(formatReplicaName(kind, index), kind, { replica });
            });
          }),
        ...gateways.map(async ({ name, port, publicUrl }, index) => {
          const host = index === 0 ? options.host : undefined;
          const place = { port, publicUrl, ...(host === undefined ? {} : { host }) };
          await processes.run(name, 'gateway', { place, replica: options.replicas?.['gateway']?.[index] });
        }),
        ...Array.from({ length: mediaWanted }, async () => {
          if (mediaWorker !== undefined) await processes.startMedia(mediaWorker);
        }),
      ]);
      await Promise.all(
        gateways.map(async ({ port }) => {
          await untilHealthy(port, options.host);
        }),
      );
    },
    () => `${[...supervised.keys()].join(', ')} ready`,
  );
  return {
    urls: publicUrls,
    simulatorsUrl: `http://localhost:${String(around.simulatorsPort)}`,
    backing,
    databaseUrls: around.databaseUrls,
    metricsUrls: processes.metricsUrls,
    around,
    service(name) {
      const unit = supervised.get(name);
      if (unit === undefined) {
        throw new Error(`Unknown service "${name}". The services are ${[...supervised.keys()].join(', ')}.`);
      }
      return unit;
    },
    startMedia: async (worker) => await processes.startMedia(worker),
    stop,
  };
}

/** Chooses the name, port and public URL of each gateway. */
async function placeGateways(options: StackOptions): Promise<{ name: string; port: number; publicUrl: string }[]> {
  return await Promise.all(
    Array.from({ length: options.replicas?.['gateway']?.length ?? options.gateways ?? 1 }, async (_, index) => {
      const port = index === 0 && options.port !== undefined ? options.port : await findFreePort();
      return {
        name: formatReplicaName('gateway', index),
        port,
        publicUrl:
          index === 0 && options.publicUrl !== undefined
            ? options.publicUrl.replace(/\/$/, '')
            : `http://localhost:${String(port)}`,
      };
    }),
  );
}

/** Collects the facts that all processes get about each other and about external systems. */
async function surround(
  options: StackOptions,
  backing: NonNullable<StackOptions['backing']>,
  publicUrls: string[],
): Promise<Omit<InstanceSettings, 'dependencies'>> {
  const environment = options.environment ?? process.env;
  const given = { ...environment, ...options.env };
  return {
    home: options.home,
    environment,
    secrets: provideInstanceSecrets(options.home),
    databaseUrls: {},
    redisUrl: backing.redisUrl,
    natsUrl: backing.natsUrl,
    rpcPorts: {
      ...Object.fromEntries(
        await Promise.all(inner.map(async (name): Promise<[string, number]> => [name, await findFreePort()])),
      ),
      ...options.rpcPorts,
    },
    transcription: transcriptionOf(options),
    social: options.social === false ? undefined : outside(hasSocialPlatform(given)),
    billing: options.billing === true ? outside(hasPaymentGateway(given)) : undefined,
    webhooks: options.webhooks === true,
    simulatorsPort: await findFreePort(),
    publicUrls,
  };
}

function transcriptionOf({
  transcription,
  environment = process.env,
  env,
}: StackOptions): InstanceSettings['transcription'] {
  if (transcription === true) return 'simulated';
  return hasTranscriptionEngine({ ...environment, ...env }) ? 'configured' : undefined;
}

/** External systems: as named by the environment, or simulated. */
const outside = (isNamed: boolean) => (isNamed ? 'configured' : 'simulated');

async function untilHealthy(port: number, host?: string): Promise<void> {
  const address = host === undefined || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${String(port)}/healthz`;
  const end = Date.now() + 60_000;
  let answer = 'no answer';
  while (Date.now() < end) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
      answer = (await response.text()).slice(0, 2000);
      if (response.ok) return;
    } catch (error) {
      answer = error instanceof Error ? error.message : String(error);
    }
    await sleep(50);
  }
  throw new CommandError(`Everything is running, but ${url} is not ready after a minute: ${answer}`);
}
