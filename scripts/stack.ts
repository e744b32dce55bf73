import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBacking, type Backing } from './backing.ts';
import { openChildLogs, quiet, type ChildLogs } from './childLog.ts';
import { provideDependencies } from './dependencies/provideDependencies.ts';
import { provideMediaWorker, type MediaWorker } from './mediaWorker/provideMediaWorker.ts';
import { freePort } from './ports.ts';
import { silentProgress, type Progress } from './progress.ts';
import { Refusal } from './refusal.ts';
import { instanceSecrets } from './secrets.ts';
import { namesEngine, namesPayments, namesPlatform, runs, type Surroundings } from './serviceEnv.ts';
import { services } from './services.ts';
import { prepareDatabase } from './stackDatabase.ts';
import { numbered, StackProcesses, watchers } from './stackProcesses.ts';
import type { Supervised } from './supervisor.ts';
import { buildWeb } from './webBuild.ts';

export { startBacking, type Backing };

/** One process of a service. */
export interface Replica {
  /** Added to its environment, over all else. */
  env?: Record<string, string>;
  /** Root of the checkout that it is run from, in place of this one. */
  root?: string;
}

export interface StackOptions {
  /** Folder for data, logs and secrets. */
  home: string;
  /** What the services stand on; a private one is brought up, and stopped with the stack, without it. */
  backing?: Pick<Backing, 'databaseUrl' | 'redisUrl' | 'natsUrl'> & { dataFolder?: string | undefined };
  /** Name of the database, made if it is missing; the one in its address, or "nolo", unless given. */
  database?: string;
  /** For tests: a database with the schemas of all services, of which a missing one begins as a copy. */
  template?: string;
  /** How many gateways; one unless told otherwise. */
  gateways?: number;
  /** How many media nodes are up before the stack is ready, true for one; none unless told, see `startMedia`. */
  media?: boolean | number;
  /** Transcribes voice notes with the simulated engine, whatever the environment names; for tests. */
  transcription?: boolean;
  /** Whether there are posts to social platforms, which are simulated unless the environment names some; true unless told. */
  social?: boolean;
  /** Whether there are plans and payments, at simulated gateways unless the environment names some; false unless told. */
  billing?: boolean;
  webhooks?: boolean;
  /** Path of a module that is run as the gateway in place of its own, for tests; from the root of the checkout. */
  gatewayModule?: string;
  /** Added to the environment of every service, over what the launcher sets. */
  env?: Record<string, string>;
  /** For tests: the processes of a service by its name, where it is not one ordinary process, or `gateways` of them. */
  replicas?: Readonly<Record<string, readonly Replica[]>>;
  /** For tests: where calls to a service are taken, by its name, if not by its only process. */
  rpcPorts?: Readonly<Record<string, number>>;
  /** The person's environment, from which settings come. */
  environment?: NodeJS.ProcessEnv;
  /** Of the first gateway; a free port on loopback unless given. */
  host?: string;
  port?: number;
  publicUrl?: string;
  /** Whether the web app is built if it is not up to date; it is unless told otherwise. */
  web?: boolean;
  progress?: Progress;
  logs?: ChildLogs;
  onGiveUp?: (reason: Refusal) => void;
  onNotice?: (line: string) => void;
}

export interface Stack {
  /** The address of each gateway. */
  urls: string[];
  simulatorsUrl: string;
  backing: Pick<Backing, 'databaseUrl' | 'redisUrl' | 'natsUrl'>;
  /** Addresses of the database, one for each service's own role. */
  databaseUrls: Record<string, string>;
  /** Where each service of ours serves /metrics, by its name as below. */
  metricsUrls: Record<string, string>;
  /** What another process is told that is to belong to this Nolo; for tests that start a gateway of their own. */
  around: Surroundings;
  /** By its name: that of its folder, with "gateway2", "media-sfu2" and so on where there are more of a kind. */
  service: (name: string) => Supervised;
  /** Adds a media node. One that cannot go on is given up with a notice, and the rest stays. */
  startMedia: (worker: MediaWorker) => Promise<void>;
  stop: () => Promise<void>;
}

/** Migrates the database and brings up every service of ours, ready to be used. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const progress = options.progress ?? silentProgress;
  mkdirSync(options.home, { recursive: true, mode: 0o711 });
  const logs = options.logs ?? openChildLogs(options.home);
  const supervised = new Map<string, Supervised>();
  const ownBacking =
    options.backing === undefined ? await startBacking({ home: options.home, logs, ...watchers(options) }) : undefined;

  async function stop(): Promise<void> {
    const gateways = [...supervised.values()].filter((unit) => unit.name.startsWith('gateway'));
    const others = [...supervised.values()].filter((unit) => !unit.name.startsWith('gateway'));
    // The door is closed first, so that nobody is let in to a house without rooms.
    await Promise.all(gateways.map(async (unit) => await unit.stop()));
    await Promise.all(others.map(async (unit) => await unit.stop()));
    await ownBacking?.stop();
    if (options.logs === undefined) logs.close();
  }

  try {
    const backing = options.backing ?? ownBacking;
    if (backing === undefined) throw new Error('There is nothing for the services to stand on.');
    return await bringUp(options, backing, logs, supervised, progress, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Of which there is one; gateways and media nodes are started in numbers. */
const inner = services.map(({ name }) => name).filter((name) => name !== 'gateway' && name !== 'media-sfu');

async function bringUp(
  options: StackOptions,
  backing: NonNullable<StackOptions['backing']>,
  logs: ChildLogs,
  supervised: Map<string, Supervised>,
  progress: Progress,
  stop: () => Promise<void>,
): Promise<Stack> {
  const gateways = await placeGateways(options);
  const publicUrls = gateways.map((gateway) => gateway.publicUrl);
  const around: Surroundings = {
    ...(await surround(options, backing, publicUrls)),
    dependencies: await provideDependencies(progress, logs.of('dependencies', quiet)),
  };
  const processes = new StackProcesses(options, around, logs, supervised);
  const simulators = processes.run('simulators', 'simulators');
  // Whoever waits for it comes later; until then its failure must not pass for an unheeded one.
  simulators.catch(() => undefined);
  const web = options.web === false ? undefined : buildWeb(progress, logs.of('web', quiet));
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
        // The tables of one that does not run are there all the same, for they belong to the database.
        ...inner
          .filter((kind) => runs(kind, around))
          .flatMap((kind) => {
            const replicas = options.replicas?.[kind] ?? [{}];
            return replicas.map(async (replica, index) => {
              await processes.run(numbered(kind, index), kind, { replica });
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
        throw new Error(`There is no service "${name}"; there are ${[...supervised.keys()].join(', ')}.`);
      }
      return unit;
    },
    startMedia: async (worker) => await processes.startMedia(worker),
    stop,
  };
}

/** Where each gateway is reached. */
async function placeGateways(options: StackOptions): Promise<{ name: string; port: number; publicUrl: string }[]> {
  return await Promise.all(
    Array.from({ length: options.replicas?.['gateway']?.length ?? options.gateways ?? 1 }, async (_, index) => {
      const port = index === 0 && options.port !== undefined ? options.port : await freePort();
      return {
        name: numbered('gateway', index),
        port,
        publicUrl:
          index === 0 && options.publicUrl !== undefined
            ? options.publicUrl.replace(/\/$/, '')
            : `http://localhost:${String(port)}`,
      };
    }),
  );
}

/** What all processes are told of each other and of what is outside. */
async function surround(
  options: StackOptions,
  backing: NonNullable<StackOptions['backing']>,
  publicUrls: string[],
): Promise<Omit<Surroundings, 'dependencies'>> {
  const environment = options.environment ?? process.env;
  const given = { ...environment, ...options.env };
  return {
    home: options.home,
    environment,
    secrets: instanceSecrets(options.home),
    databaseUrls: {},
    redisUrl: backing.redisUrl,
    natsUrl: backing.natsUrl,
    rpcPorts: {
      ...Object.fromEntries(
        await Promise.all(inner.map(async (name): Promise<[string, number]> => [name, await freePort()])),
      ),
      ...options.rpcPorts,
    },
    transcription: transcriptionOf(options),
    social: options.social === false ? undefined : outside(namesPlatform(given)),
    billing: options.billing === true ? outside(namesPayments(given)) : undefined,
    webhooks: options.webhooks === true,
    simulatorsPort: await freePort(),
    publicUrls,
  };
}

function transcriptionOf({
  transcription,
  environment = process.env,
  env,
}: StackOptions): Surroundings['transcription'] {
  if (transcription === true) return 'simulated';
  return namesEngine({ ...environment, ...env }) ? 'configured' : undefined;
}

/** What is outside: as the environment names it, or simulated. */
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
  throw new Refusal(`Everything runs, but ${url} does not say so after a minute: ${answer}`);
}
