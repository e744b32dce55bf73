import { rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDb } from '@nolo/kit/db';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import { countDeadlocks, demandNoDeadlock, TestApi } from '@nolo/testing';
import { forgetBacking } from '../../scripts/backing.ts';
import { startBacking, startStack, type Backing, type Replica, type Stack } from '../../scripts/stack.ts';
import { FaultLine } from './faultLine.ts';
import { arrangePairs, type Pairs } from './pairs.ts';
import { environmentOfTests } from './testStack.ts';

/** What can be taken away. */
export const victims = ['gateway', 'gateway2', 'chat', 'identity', 'nats', 'redis', 'postgres'] as const;
/** The same where there are two of each service. */
export const victimsOfPairs = [...victims, 'chat2', 'identity2'] as const;
export type Victim = (typeof victimsOfPairs)[number];

/** What a chat does not need: to be named by tests of meetings. */
type MeetingVictim = 'meetings' | 'media-sfu' | 'media-sfu2';

/** What can be cut and slowed: the lines from clients to gateways, and from services to stores. */
export const lineNames = ['gateway', 'gateway2', 'postgres', 'redis', 'nats'] as const;
export type LineName = (typeof lineNames)[number];

export interface FaultStack {
  /** Where clients reach the gateways, over their lines where there are some. */
  urls: string[];
  /** The gateways themselves. */
  gateways: string[];
  /** Where each service tells its figures, by its name. */
  metricsUrls: Readonly<Record<string, string>>;
  /** Throws where the stack was started without. */
  line(name: LineName): FaultLine;
  /** Ends it without a goodbye and leaves it down. Postgres is stopped in the mode that it calls immediate. */
  takeDown(victim: Victim | MeetingVictim): Promise<void>;
  bringBack(victim: Victim | MeetingVictim): Promise<void>;
  /** Stops a service in good order and starts it again. */
  restart(victim: Exclude<Victim, 'nats' | 'redis' | 'postgres'> | MeetingVictim): Promise<void>;
  /** Takes everything that Redis knows, and none of its connections. */
  emptyRedis(): Promise<void>;
  /** Runs statements with the role of a service, past the line. */
  sql(service: string, statements: string): Promise<void>;
  stop(): Promise<void>;
}

export interface FaultStackOptions {
  /** Whether lines can be cut. */
  lines?: boolean;
  /** How many media nodes. */
  media?: number;
  /** There are two processes of each service that may have them, the first and the second as this says. */
  pair?: (service: string) => readonly [Replica, Replica];
}

/** A Nolo of its own down to the databases, of which every part can be killed, and every line cut where there are some. */
export async function startFaultStack(options: FaultStackOptions = {}): Promise<FaultStack> {
  const { lines: withLines = false, media = 0, pair } = options;
  const home = await mkdtemp(join(tmpdir(), 'nolo-faults-'));
  // Under root, Postgres runs as somebody else, who has to get at its data.
  await chmod(home, 0o711);
  const forget = () => {
    forgetBacking(home);
    rmSync(home, { recursive: true, force: true });
  };
  let backing: Backing | undefined;
  let stack: Stack | undefined;
  const lines = new Map<LineName, FaultLine>();
  const urls: string[] = [];
  let pairs: Pairs | undefined;
  const stop = async () => {
    for (const line of lines.values()) line.mend();
    await stack?.stop();
    await Promise.all([...lines.values()].map((line) => line.close()));
    await pairs?.stop();
    // Where Postgres is down, what it counted went with it.
    const deadlocks = backing ? await countDeadlocks(backing.databaseUrl).catch(() => 0) : 0;
    await backing?.stop();
    forget();
    demandNoDeadlock(deadlocks);
  };
  const throughLine = async (name: LineName, target: string): Promise<string> => {
    if (!withLines) return target;
    const line = await FaultLine.open(target);
    lines.set(name, line);
    return line.url;
  };
  try {
    // With fsync, for what is tested is what survives.
    backing = await startBacking({ home, environment: environmentOfTests() });
    const reached = {
      databaseUrl: await throughLine('postgres', backing.databaseUrl),
      redisUrl: await throughLine('redis', backing.redisUrl),
      natsUrl: await throughLine('nats', backing.natsUrl),
      dataFolder: backing.dataFolder,
    };
    pairs = pair && (await arrangePairs(pair));
    stack = await startStack({
      home,
      backing: reached,
      gateways: 2,
      ...(pairs && { replicas: pairs.replicas, rpcPorts: pairs.rpcPorts }),
      media,
      social: false,
      web: false,
      environment: environmentOfTests(),
      env: { MEDIA_WORKERS: '1' },
    });
    urls.push(await throughLine('gateway', stack.urls[0] ?? ''), await throughLine('gateway2', stack.urls[1] ?? ''));
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
    line(name) {
      const line = lines.get(name);
      if (!line) throw new Error('This stack was started without lines that can be cut.');
      return line;
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

/** Fails, with what is missing, unless everything is there and has found each other again. */
export async function demandHealth(url: string): Promise<true> {
  const { status, body } = await new TestApi(url).get('/healthz');
  if (status === 200) return true;
  throw new Error(`${url} is not healthy: ${JSON.stringify(body)}`);
}
