import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepareNats } from './backing/nats.ts';
import { forgetPostgres, preparePostgres } from './backing/postgres.ts';
import { prepareRedis } from './backing/redis.ts';
import type { BackingProgram } from './backing/backingProgram.ts';
import { openChildLogs, type ChildLogs } from './childLog.ts';
import { answers } from './ports.ts';
import { silentProgress, type Progress } from './progress.ts';
import { Refusal, sentenceOf } from './refusal.ts';
import { instanceSecrets } from './secrets.ts';
import { supervise, type Supervised } from './supervisor.ts';

export interface BackingOptions {
  /** Folder for data, logs and passwords. */
  home: string;
  progress?: Progress;
  logs?: ChildLogs;
  /** Where DATABASE_URL, REDIS_URL and NATS_URL are looked up; private instances are used without them. */
  environment?: NodeJS.ProcessEnv;
  onGiveUp?: (reason: Refusal) => void;
  onNotice?: (line: string) => void;
  /** Whether Postgres waits for the disk; it does unless told otherwise. */
  fsync?: boolean;
}

/** One backing service. Those that an address was given for cannot be stopped or started by us. */
export interface BackingService {
  description: string;
  /** Kills it and leaves it down until `start`. */
  kill: (signal?: NodeJS.Signals) => Promise<void>;
  /**
   * Stops it and leaves it down until `start`. "fast" lets it write what it has, "immediate" is for
   * Postgres and leaves the rest to its recovery.
   */
  stop: (mode?: 'fast' | 'immediate') => Promise<void>;
  /** Starts it again, on the same port, and waits until it answers. */
  start: () => Promise<void>;
  pid: () => number | undefined;
}

export interface Backing {
  /** The administrator's address; services get addresses of their own from `provisionDatabase`. */
  databaseUrl: string;
  redisUrl: string;
  natsUrl: string;
  postgres: BackingService;
  redis: BackingService;
  nats: BackingService;
  /** The folder of our own Postgres's data; undefined when an address was given. */
  dataFolder: string | undefined;
  stop: () => Promise<void>;
}

/** Finds or brings up Postgres, Redis and NATS, all at once; whatever fails, nothing is left running. */
export async function startBacking(options: BackingOptions): Promise<Backing> {
  const environment = options.environment ?? process.env;
  const progress = options.progress ?? silentProgress;
  mkdirSync(options.home, { recursive: true, mode: 0o711 });
  const secrets = instanceSecrets(options.home);
  const logs = options.logs ?? openChildLogs(options.home);
  const supervised: Supervised[] = [];
  let dataFolder: string | undefined;

  async function one(
    title: string,
    variable: keyof typeof usualPorts,
    prepare: () => Promise<BackingProgram>,
  ): Promise<{ url: string; service: BackingService }> {
    const address = environment[variable];
    if (address !== undefined && address !== '') {
      await refuseDeadAddress(title, variable, address);
      progress.say(`${title}: at the address in ${variable}.`);
      return { url: address, service: foreign(title) };
    }
    return await progress.step(
      title,
      async () => {
        const program = await prepare();
        const log = logs.of(title.toLowerCase(), program.loud);
        const unit = supervise(
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
    throw new Refusal(failures.map((failure) => sentenceOf(failure.reason)).join('\n'));
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

/** Removes what private instances have stored; none of them may be running. */
export function forgetBacking(home: string): void {
  for (const folder of ['redis', 'nats']) {
    rmSync(join(home, folder), { recursive: true, force: true });
  }
  forgetPostgres(home, instanceSecrets(home).POSTGRES_PASSWORD);
}

const usualPorts = { DATABASE_URL: 5432, REDIS_URL: 6379, NATS_URL: 4222 };

/** Otherwise the services would try for a long time, and say it less clearly. */
async function refuseDeadAddress(title: string, variable: keyof typeof usualPorts, address: string): Promise<void> {
  if (!URL.canParse(address)) throw new Refusal(`${variable} is not the address of a ${title}.`);
  const { hostname, port } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '') || 'localhost';
  const number = Number(port) || usualPorts[variable];
  if (!(await answers(host, number))) {
    throw new Refusal(
      `${variable} names ${host}:${String(number)}, where nobody answers: start that ${title}, or leave ${variable} out for a private one.`,
    );
  }
}

function ours(description: string, unit: Supervised): BackingService {
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
      new Refusal(`${title} runs at an address that was given, so it is not ours to stop or start.`),
    );
  return {
    description: `${title}, at the given address`,
    kill: refuse,
    stop: refuse,
    start: refuse,
    pid: () => undefined,
  };
}
