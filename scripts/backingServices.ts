import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepareNats } from './backing/nats.ts';
import { deletePostgresData, preparePostgres } from './backing/postgres.ts';
import { prepareRedis } from './backing/redis.ts';
import type { BackingProgram } from './backing/backingProgram.ts';
import { openChildLogs, type ChildLogs } from './childLog.ts';
import { acceptsConnections } from './ports.ts';
import { silentProgress, type Progress } from './progress.ts';
import { CommandError, describeFailure } from './commandError.ts';
import { provideInstanceSecrets } from './secrets.ts';
import { superviseUnit, type Supervision } from './supervisor.ts';

export interface BackingServicesOptions {
  /** Folder for data, logs and passwords. */
  home: string;
  progress?: Progress;
  logs?: ChildLogs;
  /** Source of DATABASE_URL, REDIS_URL and NATS_URL. Private instances are started if they are missing. */
  environment?: NodeJS.ProcessEnv;
  onGiveUp?: (reason: CommandError) => void;
  onNotice?: (line: string) => void;
  /** True if Postgres flushes writes to disk. Default: true. */
  fsync?: boolean;
}

/** Backing service. The launcher cannot stop or start a service whose address was given. */
interface BackingService {
  description: string;
  /** Kills it and leaves it down until `start`. */
  kill: (signal?: NodeJS.Signals) => Promise<void>;
  /**
   * Stops it and leaves it down until `start`. "fast" lets it finish writing. "immediate" is for Postgres and relies on
   * crash recovery.
   */
  stop: (mode?: 'fast' | 'immediate') => Promise<void>;
  /** Restarts it on the same port and waits until it answers. */
  start: () => Promise<void>;
  pid: () => number | undefined;
}

export interface BackingServices {
  /** Administrator URL. Services get their own URLs from `provisionDatabase`. */
  databaseUrl: string;
  redisUrl: string;
  natsUrl: string;
  postgres: BackingService;
  redis: BackingService;
  nats: BackingService;
  /** Data folder of the launcher's own Postgres. Undefined if an address was given. */
  dataFolder: string | undefined;
  stop: () => Promise<void>;
}

/** Finds or starts Postgres, Redis and NATS in parallel. Leaves nothing running if one fails. */
export async function startBackingServices(options: BackingServicesOptions): Promise<BackingServices> {
  const environment = options.environment ?? process.env;
  const progress = options.progress ?? silentProgress;
  mkdirSync(options.home, { recursive: true, mode: 0o711 });
  const secrets = provideInstanceSecrets(options.home);
  const logs = options.logs ?? openChildLogs(options.home);
  const supervised: Supervision[] = [];
  let dataFolder: string | undefined;

  async function one(
    title: string,
    variable: keyof typeof defaultPorts,
    prepare: () => Promise<BackingProgram>,
  ): Promise<{ url: string; service: BackingService }> {
    const address = environment[variable];
    if (address !== undefined && address !== '') {
      await refuseDeadAddress(title, variable, address);
      progress.print(`${title}: using the address in ${variable}.`);
      return { url: address, service: foreign(title) };
    }
    return await progress.step(
      title,
      async () => {
        const program = await prepare();
        const log = logs.of(title.toLowerCase(), program.loud);
        const unit = superviseUnit(
          { name: title, log, launch: async () => await program.launch(log.line) },
          {
            onGiveUp: options.onGiveUp ?? (() => undefined),
            onNotice: options.onNotice ?? (() => undefined),
          },
        );
        supervised.push(unit);
        await unit.start();
        return { url: program.url, service: ours(program.description, unit) };
      },
      ({ service }) => service.description,
    );
  }

  async function stop(): Promise<void> {
    await Promise.all(supervised.map(async (unit) => await unit.stop()));
    if (options.logs === undefined) logs.close();
  }

  const results = await Promise.allSettled([
    one('Postgres', 'DATABASE_URL', async () => {
      const program = await preparePostgres(
        options.home,
        secrets.POSTGRES_PASSWORD,
        progress,
        options.fsync === undefined ? {} : { fsync: options.fsync },
      );
      dataFolder = program.dataFolder;
      return program;
    }),
    one('Redis', 'REDIS_URL', async () => await prepareRedis(options.home, secrets.REDIS_PASSWORD, progress)),
    one('NATS', 'NATS_URL', async () => await prepareNats(options.home, secrets.NATS_PASSWORD, progress)),
  ]);
  const failures = results.filter((result) => result.status === 'rejected');
  if (failures.length > 0) {
    await stop();
    throw new CommandError(failures.map((failure) => describeFailure(failure.reason)).join('\n'));
  }
  const [postgres, redis, nats] = results.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
  if (postgres === undefined || redis === undefined || nats === undefined) {
    throw new Error('A backing service is missing.');
  }
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    natsUrl: nats.url,
    postgres: postgres.service,
    redis: redis.service,
    nats: nats.service,
    dataFolder,
    stop,
  };
}

/** Deletes the data of private instances. None of them may be running. */
export function deleteBackingData(home: string): void {
  for (const folder of ['redis', 'nats']) {
    rmSync(join(home, folder), { recursive: true, force: true });
  }
  deletePostgresData(home, provideInstanceSecrets(home).POSTGRES_PASSWORD);
}

const defaultPorts = { DATABASE_URL: 5432, REDIS_URL: 6379, NATS_URL: 4222 };

/** Fails early with a clear message. The services would retry for a long time and report it less clearly. */
async function refuseDeadAddress(title: string, variable: keyof typeof defaultPorts, address: string): Promise<void> {
  if (!URL.canParse(address)) throw new CommandError(`${variable} is not the address of a ${title} server.`);
  const { hostname, port } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '') || 'localhost';
  const number = Number(port) || defaultPorts[variable];
  if (!(await acceptsConnections(host, number))) {
    throw new CommandError(
      `${variable} names ${host}:${String(number)}, where nothing is listening. Start that ${title}, or unset ${variable} to get a private one.`,
    );
  }
}

function ours(description: string, unit: Supervision): BackingService {
  return {
    description,
    kill: async (signal = 'SIGKILL') => {
      await unit.kill(signal, { hold: true });
    },
    stop: async (mode = 'fast') => {
      await unit.stop(mode === 'immediate' ? 'SIGQUIT' : undefined);
    },
    start: async () => {
      await unit.start();
    },
    pid: () => unit.pid,
  };
}

function foreign(title: string): BackingService {
  const refuse = async (): Promise<never> =>
    await Promise.reject(
      new CommandError(`${title} runs at an address that you configured, so Nolo does not stop or start it.`),
    );
  return {
    description: `${title} at the configured address`,
    kill: refuse,
    stop: refuse,
    start: refuse,
    pid: () => undefined,
  };
}
