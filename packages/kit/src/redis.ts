import { Redis } from 'ioredis';
import type { Registry } from 'prom-client';
import { reveal, type Secret } from './config.ts';
import type { Log } from './log.ts';
import { watchRedis } from './redisTelemetry.ts';

export type { Redis } from 'ioredis';
export { cacheError } from './storageErrors.ts';

export interface RedisConnectOptions {
  url: string | Secret;
  log: Log;
  /** Put before every key; REDIS_PREFIX. */
  prefix?: string;
  metrics?: Registry;
  /** How long the start waits for Redis, a minute unless told. Later outages are waited out for ever. */
  connectTimeoutMs?: number;
}

/**
 * Redis holds only what can be made again, so a service never waits for it long: a command that
 * has no answer within two seconds fails, and while the connection is down every command fails at
 * once instead of queueing up. The connection itself is sought again for ever, at most a second
 * apart.
 */
export async function connectRedis(options: RedisConnectOptions): Promise<Redis> {
  const redis = new Redis(reveal(options.url), {
    lazyConnect: true,
    ...(options.prefix ? { keyPrefix: `${options.prefix}:` } : {}),
    connectTimeout: 3000,
    // Long enough for a process that was kept from running for a second: its timers come before the answers that wait.
    commandTimeout: 2000,
    // A frozen Redis keeps its connections. They are given up, so that not every command waits out its time.
    socketTimeout: 2500,
    maxRetriesPerRequest: 1,
    // A command that was under way when the connection broke may have taken effect. Sending it again
    // would count twice; whoever sent it decides.
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: true,
    keepAlive: 5000,
    // Capped, with jitter, so that many replicas do not return in step.
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 5), 800) + Math.random() * 200,
    // A replica that was promoted away answers READONLY until one connects anew.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  });
  watchRedis(redis, options.metrics);
  // Without a listener the first lost connection would end the process. One line per outage is enough.
  let told = false;
  redis.on('error', (error: Error) => {
    if (!told) options.log.warn({ err: error }, 'Redis cannot be reached');
    told = true;
  });
  redis.on('ready', () => {
    if (told) options.log.info('Redis is back');
    told = false;
  });

  await waitUntilReady(redis, options.connectTimeoutMs ?? 60_000);
  redis.options.enableOfflineQueue = false;
  return redis;
}

function waitUntilReady(redis: Redis, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      redis.disconnect();
      reject(new Error(`Redis could not be reached within ${timeoutMs / 1000} s; REDIS_URL names its address.`));
    }, timeoutMs);
    redis.once('ready', () => {
      clearTimeout(timer);
      resolve();
    });
    // A refused first attempt is not the end: the retry strategy goes on until the timer ends it.
    redis.connect().catch(() => undefined);
  });
}

/** Ends the connection; what was sent gets its answer, unless Redis is away. Idempotent. */
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
