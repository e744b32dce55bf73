import type { Redis } from 'ioredis';
import type { Knex } from 'knex';
import type { Registry } from 'prom-client';
import { checkBus, connectBus, type Bus } from '../bus/bus.ts';
import { systemClock, type Clock } from '../clock.ts';
import type { HostPort, Secret } from '../config.ts';
import { checkDb, createDb, createScrapeDb } from '../db/database.ts';
import { consumeEvents, type ConsumeEventsOptions } from '../events/eventConsumer.ts';
import { createEventLog, type EventLog } from '../events/eventLog.ts';
import { createStopStack, runService, type StopFunction, type StopStack } from './lifecycle.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import { databaseSchemaOf } from '../db/provision.ts';
import { checkRedis, closeRedis, connectRedis } from '../redis/redis.ts';
import { createRelay, type RelayOptions } from '../events/outboxRelay.ts';
import { createTaskRepeater, type PeriodicTaskHandle, type TaskRepeater, type PeriodicTask } from '../jobs/repeat.ts';
import { createClient } from '../rpc/rpcClient.ts';
import { serveRpc, type RpcService } from '../rpc/rpcServer.ts';
import type { RpcClient, RpcDefinition } from '../rpc/rpcTypes.ts';
import { checkAll, createReadiness, type ReadinessCheck } from '../telemetry/readiness.ts';
import { createRegistry, serveMetrics } from '../telemetry/telemetry.ts';
import { startTracing, type TracingConfig } from '../telemetry/tracing.ts';

/**
 * Values that `commonConfig` and `eventLogConfig` read. A store is connected if its URL is configured, and traces are
 * sent if a collector is.
 */
export interface ServiceConfig extends Partial<TracingConfig> {
  readonly LOG_LEVEL: string;
  readonly NATS_URL: Secret;
  readonly NATS_PREFIX: string;
  readonly RPC_SECRET: Secret;
  readonly METRICS_LISTEN: HostPort;
  readonly RPC_LISTEN?: HostPort;
  readonly DATABASE_URL?: Secret;
  readonly DATABASE_POOL_MAX?: number;
  readonly REDIS_URL?: Secret;
  readonly REDIS_PREFIX?: string;
  readonly EVENTS_KEPT_DAYS?: number;
}

/** Inputs for assembling a service, in its process and in tests. */
export interface ServiceOptions<Config> {
  config: Config;
  log: Log;
  clock?: Clock;
  /** Maximum wait of recurring tasks, for tests whose clock jumps. */
  longestPauseMs?: number;
}

/** Infrastructure of a service; all of it is released in reverse order when the service stops. */
export interface ServiceContext<Config> {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Registry;
  readonly bus: Bus;
  /** Connection pool for the service's own schema. Present only if the configuration has DATABASE_URL. */
  readonly db: Config extends { readonly DATABASE_URL: Secret } ? Knex : undefined;
  /** Single connection to the same schema, reserved for scrapes. Used only by gauges. */
  readonly scrapeDb: Config extends { readonly DATABASE_URL: Secret } ? Knex : undefined;
  /** Present only if the configuration has REDIS_URL. */
  readonly redis: Config extends { readonly REDIS_URL: Secret } ? Redis : undefined;
  onStop(component: string, stop: StopFunction): void;
  /** Creates a client of another service. */
  client<Definition extends RpcDefinition>(definition: Definition, address: HostPort): RpcClient<Definition>;
  /** Starts the relay of the outbox and the event log; requires EVENTS_KEPT_DAYS. */
  relayOutbox(dispatch: RelayOptions['dispatch']): OutboxRelay;
  /**
   * Consumes the events of another service. `owner` is a client of its EventLogService; `cursor` as in
   * ConsumeEventsOptions.
   */
  consume(
    source: string,
    owner: ConsumeEventsOptions['owner'],
    handlers: ConsumeEventsOptions['handlers'],
    cursor?: string,
  ): void;
  /**
   * Adds a recurring task; without Redis it runs in every replica. An `unhurried` task keeps its interval in tests too,
   * because the interval is what matters.
   */
  repeat(task: PeriodicTask, pace?: 'unhurried'): PeriodicTaskHandle;
}

export interface OutboxRelay {
  /** Wakes relay and log. Called after a commit that wrote to either. */
  wake(): void;
  /** Handlers for `bindRpcService(EventLogServiceDefinition, …)`. */
  readonly eventHandlers: EventLog['handlers'];
}

/** Components that a service adds. */
export interface ServiceSetup {
  /** Served at RPC_LISTEN, together with gRPC's health service. */
  services?: readonly RpcService[];
  /** Age after which a caller's connection is ended, so that callers find new replicas; see serveRpc. */
  connectionAgeMs?: number;
  /** Further ports of the service. */
  ports?: Readonly<Record<string, number>>;
  /**
   * Dependencies, in addition to the stores, that must have answered once before `/readyz` reports the service as
   * ready.
   */
  checks?: Readonly<Record<string, () => ReadinessCheck | Promise<ReadinessCheck>>>;
  /** Replaces the checks of the stores and `checks`. */
  ready?: () => Promise<Record<string, ReadinessCheck>>;
  /** Called once calls are accepted. Whatever it registers with `onStop` stops first, while calls are still served. */
  opened?: (ports: ServicePorts) => void | Promise<void>;
}

export type ServicePorts = Readonly<Record<string, number>> & { readonly metrics: number };

export interface ServiceApp {
  /**
   * Starts the service. Returns the ports it listens on (`rpc`, `metrics` and so on), which may have been requested as
   * 0.
   */
  start(): Promise<ServicePorts>;
  /** Stops in reverse order of the start. Idempotent. */
  stop(): Promise<void>;
}

/** Creates a service that is not started yet. `wire` adds the service's own components to the common infrastructure. */
export function createService<Config extends ServiceConfig>(
  name: string,
  options: ServiceOptions<Config>,
  wire: (context: ServiceContext<Config>) => ServiceSetup | Promise<ServiceSetup>,
): ServiceApp {
  const { config, log } = options;
  const stack = createStopStack(log);
  let isLeaving = false;

  const start = async (): Promise<ServicePorts> => {
    const metrics = createRegistry(name);
    const { db, scrapeDb, redis, bus } = await connectStores(name, config, log, metrics, stack);
    let stopProbes: StopFunction = () => undefined;
    // Probes are answered until everything that needs the stores has stopped.
    stack.push('metrics', () => stopProbes());
    const stores: Record<string, () => ReadinessCheck | Promise<ReadinessCheck>> = {
      ...(scrapeDb && db && { postgres: () => checkDb(scrapeDb, db) }),
      ...(redis && { redis: () => checkRedis(redis) }),
      nats: () => checkBus(bus),
    };
    let check = () => checkAll(stores);
    // Registered before all gauges, so that a scrape queries the database for readiness first.
    const readiness = createReadiness({ check: () => check(), isLeaving: () => isLeaving, registry: metrics, log });
    const context = createServiceContext(name, options, { db, scrapeDb, redis, bus, metrics, stack });
    const wired = await wire(context as ServiceContext<Config>);
    check = wired.ready ?? (() => checkAll({ ...stores, ...wired.checks }));

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
        // Components that started before the failure would keep the process alive.
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
    createDb({
      url: database,
      schema: databaseSchemaOf(name),
      ...(poolMax === undefined ? {} : { poolMax }),
      log,
      metrics,
    });
  if (db) stack.push('database', () => db.destroy());
  const scrapeDb = database && createScrapeDb({ url: database, schema: databaseSchemaOf(name), log });
  if (scrapeDb) stack.push('scrape database', () => scrapeDb.destroy());
  const redis = cache && (await connectRedis({ url: cache, prefix, log, metrics }));
  if (redis) stack.push('redis', () => closeRedis(redis));
  const bus = await connectBus({ url: config.NATS_URL, prefix: config.NATS_PREFIX, name, log, metrics });
  stack.push('bus', () => bus.close());
  return { db, scrapeDb, redis, bus };
}

/** Opens the port for calls, if there are services. */
async function listenForCalls(
  { services = [], connectionAgeMs }: Pick<ServiceSetup, 'services' | 'connectionAgeMs'>,
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

function createServiceContext<Config extends ServiceConfig>(
  name: string,
  { config, log, clock = systemClock, longestPauseMs }: ServiceOptions<Config>,
  { db, scrapeDb, redis, bus, metrics, stack }: Stores & { metrics: Registry; stack: StopStack },
) {
  const repeats = new Map<string, TaskRepeater>();
  /** Created with the first task, so that tasks stop before their dependencies. */
  const repeatsOf = (pace: 'hurried' | 'unhurried'): TaskRepeater => {
    const known = repeats.get(pace);
    if (known) return known;
    const longestMs = pace === 'hurried' ? longestPauseMs : undefined;
    const made = createTaskRepeater({ redis, service: name, clock, log, longestMs });
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
    onStop: (component: string, stop: StopFunction) => stack.push(component, stop),
    client<Definition extends RpcDefinition>(definition: Definition, address: HostPort): RpcClient<Definition> {
      const client = createClient(definition, address, { secret: config.RPC_SECRET, metrics });
      stack.push('client', () => client.close());
      return client;
    },
    relayOutbox(dispatch: RelayOptions['dispatch']): OutboxRelay {
      const keptDays = needed(config.EVENTS_KEPT_DAYS, 'EVENTS_KEPT_DAYS');
      const own = { db: needed(db, 'DATABASE_URL'), scrapeDb, log, metrics };
      const relay = createRelay({ ...own, dispatch });
      const events = createEventLog({ ...own, source: name, bus, keptDays });
      for (const component of [relay, events]) {
        component.start();
        stack.push(component === relay ? 'relay' : 'event log', () => component.stop());
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
    repeat: (task: PeriodicTask, pace: 'hurried' | 'unhurried' = 'hurried') => repeatsOf(pace).add(task),
  };
}

function needed<T>(value: T | undefined, variable: string): T {
  if (value === undefined) throw new Error(`The configuration of the service must have ${variable}.`);
  return value;
}

/**
 * Runs a service's process: configuration, log, traces, the service, and an orderly stop.
 *
 * @param service.stopTimeoutMs maximum duration of a stop before the process exits anyway; 10 s by default.
 */
export async function runServiceProcess<Config extends ServiceConfig>(service: {
  name: string;
  readConfig: () => Config;
  createApp: (options: { config: Config; log: Log }) => ServiceApp;
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
