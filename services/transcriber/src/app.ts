import { checkBus, connectBus } from '@nolo/kit/bus';
import { systemClock, type Clock } from '@nolo/kit/clock';
import { checkDb, createDb } from '@nolo/kit/db';
import { consumeEvents } from '@nolo/kit/events';
import { createStopStack } from '@nolo/kit/lifecycle';
import type { Log } from '@nolo/kit/log';
import { createLimiter } from '@nolo/kit/rateLimit';
import { checkRedis, closeRedis, connectRedis } from '@nolo/kit/redis';
import { createClient, rpcService, serveRpc } from '@nolo/kit/rpc';
import { checkAll, createRegistry, serveMetrics } from '@nolo/kit/telemetry';
import { EventLogServiceService } from '@nolo/proto/events';
import { IdentityServiceService } from '@nolo/proto/identity';
import { TranscriberServiceService } from '@nolo/proto/transcriber';
import { limits, rateLimits } from '@nolo/rules';
import { createExaminer } from './audio/examineAudio.ts';
import type { TranscriberConfig } from './config.ts';
import type { UsageStore } from './domain/ports.ts';
import { createEngine } from './engines/createEngine.ts';
import { removeLeftFolders } from './engines/jobFolders.ts';
import { onUserDeleted, userDeleted } from './events/onUserDeleted.ts';
import { sweepUsage } from './jobs/sweepUsage.ts';
import { createMetrics } from './metrics.ts';
import type { RpcDependencies } from './rpc/dependencies.ts';
import { getUsage } from './rpc/getUsage.ts';
import { transcribeVoice } from './rpc/transcribeVoice.ts';
import { createUsageStore } from './store/usageStore.ts';

export interface AppOptions {
  config: TranscriberConfig;
  log: Log;
  clock?: Clock;
  /** How often leftovers are deleted; every five minutes by default. */
  sweepEveryMs?: number;
  /** Milliseconds that the work on one voice note may take; for tests that have no minute. */
  workMs?: number;
}

export interface App {
  /** Answers with the ports it listens on, which may have been asked for as 0. */
  start(): Promise<{ rpc: number; metrics: number }>;
  /** Idempotent; ends what was started, in reverse. */
  stop(): Promise<void>;
}

export function createApp({
  config,
  log,
  clock = systemClock,
  sweepEveryMs = 300_000,
  workMs = limits.transcriptionWorkSeconds * 1_000,
}: AppOptions): App {
  const stack = createStopStack(log);

  const startSweeping = (usage: UsageStore) => {
    let running: Promise<void> | undefined;
    const sweep = async () => {
      try {
        const folders = await removeLeftFolders();
        const rows = await sweepUsage({ usage, clock });
        if (folders + rows > 0) log.info({ folders, rows }, 'leftovers deleted');
      } catch (error) {
        log.warn({ err: error }, 'leftovers could not be deleted; trying again later');
      } finally {
        running = undefined;
      }
    };
    running = sweep();
    const timer = setInterval(() => void (running ??= sweep()), sweepEveryMs);
    stack.push('sweep', async () => {
      clearInterval(timer);
      await running;
    });
  };

  const start = async () => {
    const registry = createRegistry('transcriber');
    const db = createDb({ url: config.DATABASE_URL, schema: 'transcriber', log, metrics: registry });
    stack.push('database', () => db.destroy());
    const redis = await connectRedis({ url: config.REDIS_URL, prefix: config.REDIS_PREFIX, log, metrics: registry });
    stack.push('redis', () => closeRedis(redis));
    const bus = await connectBus({
      url: config.NATS_URL,
      prefix: config.NATS_PREFIX,
      name: 'transcriber',
      log,
      metrics: registry,
    });
    stack.push('bus', () => bus.close());
    const identity = createClient(IdentityServiceService, config.IDENTITY_ADDR, {
      secret: config.RPC_SECRET,
      metrics: registry,
    });
    stack.push('identity', () => identity.close());
    const engine = createEngine(config, log);
    stack.push('engine', () => engine.stop());

    const { transcriptionsPerUser } = rateLimits;
    const usage = createUsageStore(db);
    const dependencies: RpcDependencies = {
      consents: { given: async (actorId) => (await identity.getSelf({ actorId })).transcribeVoiceNotes },
      limiter: createLimiter({ redis, table: { transcriptionsPerUser } }),
      audio: createExaminer(),
      engine,
      usage,
      // Until plans are sold everyone has the same (decision 21).
      planOf: () => Promise.resolve(config.TRANSCRIBE_PLAN),
      clock,
      metrics: createMetrics(registry, () => engine.waiting),
      workMs,
    };

    const owner = createClient(EventLogServiceService, config.IDENTITY_ADDR, {
      secret: config.RPC_SECRET,
      metrics: registry,
    });
    stack.push('log of identity', () => owner.close());
    const handlers = { [userDeleted]: onUserDeleted({ usage }) };
    stack.push(
      'events of identity',
      consumeEvents({ db, bus, log, metrics: registry, consumer: 'transcriber', source: 'identity', owner, handlers }),
    );
    startSweeping(usage);

    const rpc = await serveRpc({
      listen: config.RPC_LISTEN,
      secret: config.RPC_SECRET,
      log,
      metrics: registry,
      services: [
        rpcService(TranscriberServiceService, {
          transcribeVoice: transcribeVoice(dependencies),
          getUsage: getUsage(dependencies),
        }),
      ],
    });
    stack.push('rpc', rpc.stop);
    const metrics = await serveMetrics({
      listen: config.METRICS_LISTEN,
      registry,
      ready: () => checkAll({ postgres: () => checkDb(db), redis: () => checkRedis(redis), nats: () => checkBus(bus) }),
    });
    stack.push('metrics', metrics.stop);
    return { rpc: rpc.port, metrics: metrics.port };
  };

  return {
    start: async () => {
      try {
        return await start();
      } catch (error) {
        await stack.stop();
        throw error;
      }
    },
    stop: () => stack.stop(),
  };
}
