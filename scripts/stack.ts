import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBacking, type Backing } from './backing.ts';
import { openChildLogs, quiet, type ChildLogs } from './childLog.ts';
import { startNodeChild } from './childProcess.ts';
import { inputHash } from './inputHash.ts';
import { mediaAddress } from './mediaAddress.ts';
import { provideMediaWorker, type MediaWorker } from './mediaWorker/provideMediaWorker.ts';
import { freePort } from './ports.ts';
import { silentProgress, type Progress } from './progress.ts';
import { Refusal } from './refusal.ts';
import { instanceSecrets } from './secrets.ts';
import {
  migrationEnv,
  namesEngine,
  namesPayments,
  namesPlatform,
  runs,
  serviceEnv,
  type ProcessPlace,
  type Surroundings,
} from './serviceEnv.ts';
import { databaseServices, services } from './services.ts';
import { supervise, type Supervised } from './supervisor.ts';
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
  const gateways = await Promise.all(
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
  const environment = options.environment ?? process.env;
  const given = { ...environment, ...options.env };
  const around: Surroundings = {
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
    publicUrls: gateways.map((gateway) => gateway.publicUrl),
  };

  const metricsUrls: Record<string, string> = {};

  async function run(
    name: string,
    kind: string,
    place: Partial<ProcessPlace>,
    watch = watchers(options),
    replica: Replica = {},
  ): Promise<void> {
    const log = logs.of(name);
    const metricsPort = await freePort();
    metricsUrls[name] = `http://127.0.0.1:${String(metricsPort)}/metrics`;
    const env = {
      ...serviceEnv(kind, around, { metricsPort, ...place }),
      ...options.env,
      ...replica.env,
    };
    const ownModule = kind === 'simulators' ? 'simulators/src/main.ts' : `services/${kind}/src/main.ts`;
    const module = (kind === 'gateway' ? options.gatewayModule : undefined) ?? ownModule;
    const unit = supervise(
      {
        name,
        log,
        launch: async () =>
          await startNodeChild({ root: replica.root, module, env, onLine: log.line, announcesReady: true }),
      },
      watch,
    );
    supervised.set(name, unit);
    await unit.start();
  }

  let mediaNodes = 0;
  async function startMedia(worker: MediaWorker): Promise<void> {
    const name = numbered('media-sfu', mediaNodes);
    mediaNodes += 1;
    const { onNotice } = watchers(options);
    const environment = { ...around.environment, ...options.env };
    const place = {
      media: { rpcPort: await freePort(), worker, address: mediaAddress({ ...options, environment }) },
    };
    await run(name, 'media-sfu', place, { onNotice, onGiveUp: (reason) => onNotice(reason.message) });
  }

  const simulators = run('simulators', 'simulators', {});
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
              await run(numbered(kind, index), kind, {}, undefined, replica);
            });
          }),
        ...gateways.map(async ({ name, port, publicUrl }, index) => {
          const host = index === 0 ? options.host : undefined;
          const place = { port, publicUrl, ...(host === undefined ? {} : { host }) };
          await run(name, 'gateway', place, undefined, options.replicas?.['gateway']?.[index]);
        }),
        ...Array.from({ length: mediaWanted }, async () => {
          if (mediaWorker !== undefined) await startMedia(mediaWorker);
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
    urls: gateways.map((gateway) => gateway.publicUrl),
    simulatorsUrl: `http://localhost:${String(around.simulatorsPort)}`,
    backing,
    databaseUrls: around.databaseUrls,
    metricsUrls,
    around,
    service(name) {
      const unit = supervised.get(name);
      if (unit === undefined) {
        throw new Error(`There is no service "${name}"; there are ${[...supervised.keys()].join(', ')}.`);
      }
      return unit;
    },
    startMedia,
    stop,
  };
}

/** "chat", "chat2" and so on. */
function numbered(kind: string, index: number): string {
  return index === 0 ? kind : `${kind}${String(index + 1)}`;
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

function watchers(options: StackOptions): {
  onGiveUp: (reason: Refusal) => void;
  onNotice: (line: string) => void;
} {
  return {
    onGiveUp: options.onGiveUp ?? (() => undefined),
    onNotice: options.onNotice ?? (() => undefined),
  };
}

/** Roles and schemas for the services, and their migrations unless nothing changed since the last. */
async function prepareDatabase(
  options: StackOptions,
  backing: NonNullable<StackOptions['backing']>,
  around: Surroundings,
  logs: ChildLogs,
): Promise<boolean> {
  // Loaded here, for it takes a while, and by now everything else is on its way.
  const { provisionDatabase } = await import('@nolo/kit/db');
  try {
    around.databaseUrls = await provisionDatabase(
      backing.databaseUrl,
      options.database ?? databaseName(backing.databaseUrl),
      databaseServices,
      around.secrets.POSTGRES_ROLES_SECRET,
      { template: options.template },
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new Refusal(
      backing.dataFolder === undefined
        ? `The database at ${new URL(backing.databaseUrl).host} cannot be set up (${reason}): DATABASE_URL has to be the address of an administrator, who may make roles and schemas.`
        : `The database in ${backing.dataFolder} cannot be set up (${reason}): if ${options.home} is not what it was made with, move that folder away to begin anew.`,
    );
  }

  if (options.template !== undefined) return false;

  // Of a database that is ours alone we know what was done to it; another is asked each time.
  const stamp = join(options.home, 'migrated.json');
  const state =
    backing.dataFolder === undefined
      ? undefined
      : JSON.stringify({
          migrations: inputHash([
            'packages/kit/src',
            ...databaseServices.flatMap((name) => [`services/${name}/migrations`, `services/${name}/src/migrate.ts`]),
          ]),
          database: options.database ?? databaseName(backing.databaseUrl),
          // A data folder that was made anew is another one, whatever its name.
          data: String(statSync(join(backing.dataFolder, 'PG_VERSION')).ino),
        });
  if (state !== undefined && existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return false;
  rmSync(stamp, { force: true });
  await Promise.all(
    databaseServices.map(async (name) => {
      const log = logs.of(`${name}-migration`, quiet);
      const child = await startNodeChild({
        module: `services/${name}/src/migrate.ts`,
        env: { ...migrationEnv(name, around), ...options.env },
        onLine: log.line,
        announcesReady: false,
      });
      const ending = await child.exited;
      if (ending.code !== 0) {
        throw new Refusal(
          `The database of ${name} could not be migrated; the last lines were:\n${log.lastLines(8).join('\n')}`,
        );
      }
    }),
  );
  if (state !== undefined) writeFileSync(stamp, state, { mode: 0o600 });
  return true;
}

/** The database that an address names, unless that is only the one where administrators arrive. */
function databaseName(url: string): string {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  return name === '' || name === 'postgres' ? 'nolo' : name;
}

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
