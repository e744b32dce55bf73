import type { Redis } from 'ioredis';
import type { Log } from './log.ts';

/**
 * Which devices somebody looks at right now, kept by the gateways in Redis: `watching` is a sorted set of sessions, scored
 * with the time (ms, Redis's own) until which a gateway vouches for them. Like leases they end by themselves where a gateway
 * dies; what is lost costs a notification that was not needed, or was a moment late.
 */
const key = 'watching';
const watchMs = 30_000;
const refreshMs = 10_000;
const chunk = 500;

const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** ARGV: the length, then sessions. What ran out goes with it. */
const write = `${now}
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[index]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
return 0`;

/** ARGV: sessions. Answers with those that are watched. */
const read = `${now}
local found = {}
for index, score in ipairs(redis.call('ZMSCORE', KEYS[1], unpack(ARGV))) do
  if score and tonumber(score) > now then found[#found + 1] = ARGV[index] end
end
return found`;

export interface Watches {
  /** Somebody looks at a page of the session. Resolves once others can know. */
  begin(sessionId: string): Promise<void>;
  /** A page that was looked at is not any more. */
  end(sessionId: string): Promise<void>;
  /** Takes what this gateway vouched for away. Idempotent. */
  stop(): Promise<void>;
}

/** A gateway's own; it counts pages here, so that Redis hears only of the first and the last of a session. */
export function createWatches({ redis, log }: { redis: Redis; log: Log }): Watches {
  const pages = new Map<string, number>();
  const quietly = async (work: Promise<unknown>) => {
    try {
      await work;
    } catch (error) {
      log.warn({ err: error }, 'who looks at their device could not be noted');
    }
  };
  const vouch = async (sessionIds: readonly string[]) => {
    for (let at = 0; at < sessionIds.length; at += chunk) {
      await redis.eval(write, 1, key, watchMs, ...sessionIds.slice(at, at + chunk));
    }
  };
  const timer = setInterval(() => void quietly(vouch([...pages.keys()])), refreshMs);
  timer.unref();
  return {
    async begin(sessionId) {
      const count = pages.get(sessionId) ?? 0;
      pages.set(sessionId, count + 1);
      if (count === 0) await quietly(vouch([sessionId]));
    },
    async end(sessionId) {
      const count = pages.get(sessionId) ?? 0;
      if (count > 1) pages.set(sessionId, count - 1);
      else if (pages.delete(sessionId)) await quietly(redis.zrem(key, sessionId));
    },
    async stop() {
      clearInterval(timer);
      const sessionIds = [...pages.keys()];
      pages.clear();
      if (sessionIds.length > 0) await quietly(redis.zrem(key, ...sessionIds));
    },
  };
}

/** Those of the sessions that somebody looks at, as far as Redis can say: nobody where it cannot. */
export async function watchedSessions(redis: Redis, sessionIds: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (let at = 0; at < sessionIds.length; at += chunk) {
    const some = (await redis.eval(read, 1, key, ...sessionIds.slice(at, at + chunk))) as string[];
    for (const one of some) found.add(one);
  }
  return found;
}
