import { Redis } from 'ioredis';
import { reveal, type Secret } from './config.ts';
import type { Log } from './log.ts';

/** Longer than BullMQ ever waits for a job in one command, which is ten seconds. */
const silentMs = 30_000;

/**
 * The second kind of connection to Redis, for BullMQ alone: it asks for commands that wait, so there is no end to them but
 * that of the connection; it puts its own prefix before keys, so the connection has none; and what is asked while Redis is
 * away waits until it is back, for nobody's request depends on it. It does not hold up a start, and says nothing of whether
 * the service is ready: rows wait in Postgres.
 */
export function connectJobs(options: { url: string | Secret; log: Log }): Redis {
  const redis = new Redis(reveal(options.url), {
    connectTimeout: 3000,
    maxRetriesPerRequest: null,
    enableOfflineQueue: true,
    socketTimeout: silentMs,
    keepAlive: 5000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 5), 800) + Math.random() * 200,
    // A replica that was promoted away answers READONLY until one connects anew.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  });
  // connectRedis tells of outages; without a listener the first one would end the process.
  redis.on('error', (error: Error) => options.log.debug({ err: error }, 'Redis cannot be reached for jobs'));
  return redis;
}
