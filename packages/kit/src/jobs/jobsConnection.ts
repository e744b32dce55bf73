import { Redis } from 'ioredis';
import { reveal, type Secret } from '../config.ts';
import type { Log } from '../telemetry/log.ts';

/** Longer than BullMQ's maximum wait for a job in one command, which is ten seconds. */
const silentMs = 30_000;

/**
 * Opens the second kind of Redis connection, for BullMQ only. BullMQ uses blocking commands, so only the connection
 * itself has a timeout. It adds its own prefix to keys, so the connection has none. Commands wait during an outage,
 * because no request depends on them. Redis neither delays startup nor affects readiness here: rows wait in Postgres.
 */
export function connectJobRedis(options: { url: string | Secret; log: Log }): Redis {
  const redis = new Redis(reveal(options.url), {
    connectTimeout: 3000,
    maxRetriesPerRequest: null,
    enableOfflineQueue: true,
    socketTimeout: silentMs,
    keepAlive: 5000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 5), 800) + Math.random() * 200,
    // A replica that lost its primary role answers READONLY until the client reconnects.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  });
  // connectRedis logs outages; without a listener, the first one would end the process.
  redis.on('error', (error: Error) => options.log.debug({ err: error }, 'Redis not reachable for jobs'));
  return redis;
}
