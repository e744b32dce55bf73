import type { Redis } from 'ioredis';
import type { Knex } from 'knex';
import type { Registry } from 'prom-client';
import { checkBus, connectBus, type Bus } from './bus.ts';
import { systemClock, type Clock } from './clock.ts';
import type { Listen, Secret } from './config.ts';
import { checkDb, createDb, createScrapeDb } from './database.ts';
import { consumeEvents, type ConsumeEventsOptions } from './eventConsumer.ts';
import { createEventLog, type EventLog } from './eventLog.ts';
import { createStopStack, runService, type Stop, type StopStack } from './lifecycle.ts';
import { createLog, type Log } from './log.ts';
import { schemaOf } from './provision.ts';
import { checkRedis, closeRedis, connectRedis } from './redis.ts';
import { createRelay, type RelayOptions } from './relay.ts';
import { createRepeats, type Repeating, type Repeats, type Task } from './repeat.ts';
import { createClient } from './rpcClient.ts';
import { serveRpc, type RpcService } from './rpcServer.ts';
import type { RpcClient, RpcDefinition } from './rpcTypes.ts';
import { checkAll, createReadiness, type Check } from './readiness.ts';
import { createRegistry, serveMetrics } from './telemetry.ts';
import { startTracing, type TracingConfig } from './tracing.ts';

/**
 * What `commonConfig` and `eventLogConfig` read. A store is connected where the configuration has its address, and traces
 * are sent where it says which.
 */
export interface ServiceConfig extends Partial<TracingConfig> {
  readonly LOG_LEVEL: string;
  readonly NATS_URL: Secret;
  readonly NATS_PREFIX: string;
  readonly RPC_SECRET: Secret;
  readonly METRICS_LISTEN: Listen;
  readonly RPC_LISTEN?: Listen;
  readonly DATABASE_URL?: Secret;
  readonly DATABASE_POOL_MAX?: number;
  readonly REDIS_URL?: Secret;
  readonly REDIS_PREFIX?: string;
  readonly EVENTS_KEPT_DAYS?: number;
}

/** What a service is put together with, by its process and by its tests. */
export interface ServiceOptions<Config> {
  config: Config;
  log: Log;
  clock?: Clock;
  /** For tests whose clock jumps: no task that repeats waits longer. */
  longestPauseMs?: number;
}

/** What a service stands on; all of it is let go of, in reverse, when the service stops. */
export interface Ground<Config> {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Registry;
  readonly bus: Bus;
  /** The service's own schema; only of one whose configuration has DATABASE_URL. */
  readonly db: Config extends { readonly DATABASE_URL: Secret } ? Knex : undefined;
  /** The same schema over the connection that is kept for scrapes; gauges are asked of it, and nothing else. */
  readonly scrapeDb: Config extends { readonly DATABASE_URL: Secret } ? Knex : undefined;
  /** Only of one whose configuration has REDIS_URL. */
  readonly redis: Config extends { readonly REDIS_URL: Secret } ? Redis : undefined;
  onStop(part: string, stop: Stop): void;
  /** A client of another service. */
  client<Definition extends RpcDefinition>(definition: Definition, address: Listen): RpcClient<Definition>;
  /** Passes on what lies in the outbox, and opens the log of events; needs EVENTS_KEPT_DAYS. */
  tell(dispatch: RelayOptions['dispatch']): Telling;
  /** Reads the events of another service, `owner` being a client of its EventLogService; `cursor` as in ConsumeEventsOptions. */
  consume(
    source: string,
    owner: ConsumeEventsOptions['owner'],
    handlers: ConsumeEventsOptions['handlers'],
    cursor?: string,
  ): void;
  /** What is done again and again; without Redis in every replica. An `unhurried` one keeps its pause in tests too, because the pause is what it is about. */
  repeat(task: Task, pace?: 'unhurried'): Repeating;
}

export interface Telling {
  /** Called after a commit that wrote to the outbox or to the log. */
  wake(): void;
  /** For `rpcService(EventLogServiceService, …)`. */
  readonly eventHandlers: EventLog['handlers'];
}

/** What a service puts on its ground. */
export interface Wired {
  /** Served at RPC_LISTEN, with gRPC's own health service. */
  services?: readonly RpcService[];
  /** After which a connection of a caller is ended, so that callers find new replicas; see serveRpc. */
  connectionAgeMs?: number;
  /** Other ports that it listens on. */
  ports?: Readonly<Record<string, number>>;
  /** What has to be there once, besides the stores, before `/readyz` says that the service is ready. */
  checks?: Readonly<Record<string, () => Check | Promise<Check>>>;
  /** In place of the stores and `checks`. */
  ready?: () => Promise<Record<string, Check>>;
  /** Once calls are taken. What it has stopped by `onStop` goes before all else, calls are still served then. */
  opened?: (ports: ServicePorts) => void | Promise<void>;
}

export type ServicePorts = Readonly<Record<string, number>> & { readonly metrics: number };

export interface App {
  /** Answers with the ports it listens on (`rpc`, `metrics` and the like), which may have been asked for as 0. */
  start(): Promise<ServicePorts>;
  /** Idempotent; ends what was started, in reverse. */
  stop(): Promise<void>;
}

/** A service that is not started yet. `wire` puts what is its own on the ground that everyone has. */
export function createService<Config extends ServiceConfig>(
  name: string,
  options: ServiceOptions<Config>,
  wire: (ground: Ground<Config>) => Wired | Promise<Wired>,
): App {
  const { config, log } = options;
  const stack = createStopStack(log);
  let isLeaving = false;

  const start = async (): Promise<ServicePorts> => {
    const metrics = createRegistry(name);
    const { db, scrapeDb, redis, bus } = await connectStores(name, config, log, metrics, stack);
    let stopProbes: Stop = () => undefined;
    // Probes are answered until all that needs the stores has stopped.
    stack.push('metrics', () => stopProbes());
    const stores: Record<string, () => Check | Promise<Check>> = {
      ...(scrapeDb && db && { postgres: () => checkDb(scrapeDb, db) }),
      ...(redis && { redis: () => checkRedis(redis) }),
      nats: () => checkBus(bus),
    };
    let ask = () => checkAll(stores);
    // Before all gauges, so that in a scrape it asks the database first.
    const readiness = createReadiness({ ask: () => ask(), isLeaving: () => isLeaving, registry: metrics, log });
    const ground = layGround(name, options, { db, scrapeDb, redis, bus, metrics, stack });
    const wired = await wire(ground as Ground<Config>);
    ask = wired.ready ?? (() => checkAll({ ...stores, ...wired.checks }));

    const rpc = await listenForCalls(wired, { config, log, metrics, stack });
    const probes = await serveMetrics({ listen: config.METRICS_LISTEN, registry: metrics, readiness });
    stopProbes = probes.stop;
    const ports = { ...wired.ports, ...(rpc === undefined ? {} : { rpc }), metrics: probes.port };
    await wired.opened?.(ports);
    return ports;
  };

  return {
    async start() {
      try {
        return await start();
      } catch (error) {
        // What came up before the failure would keep the process alive.
        await stack.stop();
        throw error;
      }
    },
    stop() {
      isLeaving = true;
      return stack.stop();
    },
  };
}

interface Stores {
  db: Knex | undefined;
  scrapeDb: Knex | undefined;
  redis: Redis | undefined;
  bus: Bus;
}

async function connectStores(
  name: string,
  config: ServiceConfig,
  log: Log,
  metrics: Registry,
  stack: StopStack,
): Promise<Stores> {
  const { DATABASE_URL: database, DATABASE_POOL_MAX: poolMax, REDIS_URL: cache, REDIS_PREFIX: prefix = '' } = config;
  const db =
    database &&
    createDb({ url: database, schema: schemaOf(name), ...(poolMax === undefined ? {} : { poolMax }), log, metrics });
  if (db) stack.push('database', () => db.destroy());
  const scrapeDb = database && createScrapeDb({ url: database, schema: schemaOf(name), log });
  if (scrapeDb) stack.push('database for scrapes', () => scrapeDb.destroy());
  const redis = cache && (await connectRedis({ url: cache, prefix, log, metrics }));
  if (redis) stack.push('redis', () => closeRedis(redis));
  const bus = await connectBus({ url: config.NATS_URL, prefix: config.NATS_PREFIX, name, log, metrics });
  stack.push('bus', () => bus.close());
  return { db, scrapeDb, redis, bus };
}

/** The port for calls, where there are any to serve. */
async function listenForCalls(
  { services = [], connectionAgeMs }: Pick<Wired, 'services' | 'connectionAgeMs'>,
  { config, log, metrics, stack }: { config: ServiceConfig; log: Log; metrics: Registry; stack: StopStack },
): Promise<number | undefined> {
  if (services.length === 0) return undefined;
  const rpc = await serveRpc({
    listen: needed(config.RPC_LISTEN, 'RPC_LISTEN'),
    secret: config.RPC_SECRET,
    log,
    metrics,
    services: [...services],
    ...(connectionAgeMs === undefined ? {} : { connectionAgeMs }),
  });
  stack.push('rpc', () => rpc.stop());
  return rpc.port;
}

function layGround<Config extends ServiceConfig>(
  name: string,
  { config, log, clock = systemClock, longestPauseMs }: ServiceOptions<Config>,
  { db, scrapeDb, redis, bus, metrics, stack }: Stores & { metrics: Registry; stack: StopStack },
) {
  const repeats = new Map<string, Repeats>();
  /** Made with the first task, so that tasks end before what they need. */
  const repeatsOf = (pace: 'hurried' | 'unhurried'): Repeats => {
    const known = repeats.get(pace);
    if (known) return known;
    const longestMs = pace === 'hurried' ? longestPauseMs : undefined;
    const made = createRepeats({ redis, service: name, clock, log, longestMs });
    repeats.set(pace, made);
    stack.push('repeated tasks', () => made.stop());
    return made;
  };

  return {
    config,
    log,
    clock,
    metrics,
    bus,
    db,
    scrapeDb,
    redis,
    onStop: (part: string, stop: Stop) => stack.push(part, stop),
    client<Definition extends RpcDefinition>(definition: Definition, address: Listen): RpcClient<Definition> {
      const client = createClient(definition, address, { secret: config.RPC_SECRET, metrics });
      stack.push('client', () => client.close());
      return client;
    },
    tell(dispatch: RelayOptions['dispatch']): Telling {
      const keptDays = needed(config.EVENTS_KEPT_DAYS, 'EVENTS_KEPT_DAYS');
      const own = { db: needed(db, 'DATABASE_URL'), scrapeDb, log, metrics };
      const relay = createRelay({ ...own, dispatch });
      const events = createEventLog({ ...own, source: name, bus, keptDays });
      for (const part of [relay, events]) {
        part.start();
        stack.push(part === relay ? 'relay' : 'event log', () => part.stop());
      }
      return {
        eventHandlers: events.handlers,
        wake() {
          relay.wake();
          events.wake();
        },
      };
    },
    consume(
      source: string,
      owner: ConsumeEventsOptions['owner'],
      handlers: ConsumeEventsOptions['handlers'],
      cursor?: string,
    ) {
      const own = { db: needed(db, 'DATABASE_URL'), scrapeDb, bus, log, metrics };
      const at = cursor === undefined ? {} : { cursor };
      stack.push(`events of ${cursor ?? source}`, consumeEvents({ ...own, ...at, source, owner, handlers }));
    },
    repeat: (task: Task, pace: 'hurried' | 'unhurried' = 'hurried') => repeatsOf(pace).add(task),
  };
}

function needed<T>(value: T | undefined, variable: string): T {
  if (value === undefined) throw new Error(`This takes ${variable}, which the configuration of the service lacks.`);
  return value;
}

/**
 * The whole of a service's process: configuration, log, traces, the service, and an orderly end.
 *
 * @param service.stopTimeoutMs how long a stop may take before the process leaves anyway; 10 s unless given.
 */
export async function serve<Config extends ServiceConfig>(service: {
  name: string;
  readConfig: () => Config;
  createApp: (options: { config: Config; log: Log }) => App;
  stopTimeoutMs?: (config: Config) => number;
}): Promise<void> {
  const { name, readConfig, createApp, stopTimeoutMs } = service;
  await runService({
    name,
    start: async () => {
      const config = readConfig();
      const log = createLog({ service: name, level: config.LOG_LEVEL });
      const ratio = config.OTEL_TRACES_SAMPLER_ARG;
      const tracing = { ...config, OTEL_TRACES_SAMPLER_ARG: ratio ?? 0 };
      const endTracing = ratio === undefined ? undefined : await startTracing({ service: name, config: tracing, log });
      const app = createApp({ config, log });
      const stop = async () => {
        await app.stop();
        await endTracing?.();
      };
      const ports = await app.start();
      return { ports, stop, ...(stopTimeoutMs ? { stopTimeoutMs: stopTimeoutMs(config) } : {}) };
    },
  });
}
