import { Redis } from 'ioredis';
import type { Registry } from 'prom-client';
import { reveal, type Secret } from '../config.ts';
import type { Log } from '../telemetry/log.ts';
import { watchRedis } from './redisTelemetry.ts';

export type { Redis } from 'ioredis';
export { toCacheError } from '../db/storageErrors.ts';

export interface RedisConnectOptions {
  url: string | Secret;
  log: Log;
  /** Prefix of every key; REDIS_PREFIX. */
  prefix?: string;
  metrics?: Registry;
  /** Maximum wait for Redis at startup; one minute by default. Later outages are waited out indefinitely. */
  connectTimeoutMs?: number;
}

/**
 * Connects to Redis. Redis holds only data that can be recreated, so a service never waits for it long: a command
 * without an answer fails after two seconds, and while the connection is down every command fails immediately instead
 * of queueing. Reconnects continue indefinitely, at most a second apart.
 */
export async function connectRedis(options: RedisConnectOptions): Promise<Redis> {
  const redis = new Redis(reveal(options.url), {
    lazyConnect: true,
    ...(options.prefix ? { keyPrefix: `${options.prefix}:` } : {}),
    connectTimeout: 3000,
    // Long enough for a process that was paused for a second: its timers fire before it reads the answers.
    commandTimeout: 2000,
    // A frozen Redis keeps its connections open. They are dropped, so that not every command runs into its timeout.
    socketTimeout: 2500,
    maxRetriesPerRequest: 1,
    // A command in progress when the connection broke may have taken effect. Sending it again would count twice, so the
    // caller decides.
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: true,
    keepAlive: 5000,
    // Capped, with jitter, so that replicas do not reconnect in step.
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 5), 800) + Math.random() * 200,
    // A replica that lost its primary role answers READONLY until the client reconnects.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  });
  watchRedis(redis, options.metrics);
  // Prevents the first lost connection from ending the process. Each outage is logged once.
  let hasWarned = false;
  redis.on('error', (error: Error) => {
    if (!hasWarned) options.log.warn({ err: error }, 'Redis not reachable');
    hasWarned = true;
  });
  redis.on('ready', () => {
    if (hasWarned) options.log.info('Redis reachable again');
    hasWarned = false;
  });

  await waitUntilReady(redis, options.connectTimeoutMs ?? 60_000);
  redis.options.enableOfflineQueue = false;
  return redis;
}

function waitUntilReady(redis: Redis, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      redis.disconnect();
      reject(new Error(`Redis could not be reached within ${timeoutMs / 1000} s. Check REDIS_URL.`));
    }, timeoutMs);
    redis.once('ready', () => {
      clearTimeout(timer);
      resolve();
    });
    // A refused first attempt is not final: the retry strategy continues until the timer ends it.
    redis.connect().catch(() => undefined);
  });
}

/** Closes the connection. Pending commands get their answers, unless Redis is down. Idempotent. */
export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status === 'end') return;
  try {
    await redis.quit();
  } catch {
    redis.disconnect();
  }
}

/** For /readyz. */
export async function checkRedis(redis: Redis): Promise<{ ok: boolean; detail?: string }> {
  try {
    await redis.ping();
    return { ok: true };
  } catch {
    return { ok: false, detail: 'Redis does not answer' };
  }
}
