import type { Redis } from 'ioredis';
import type { Log } from '../telemetry/log.ts';

/**
 * Sessions that a user is looking at right now, stored by the gateways in Redis: `watching` is a sorted set of
 * sessions, scored with the time (ms, Redis's own) until which a gateway vouches for them. Like leases, they expire if
 * a gateway dies. A lost entry costs an unnecessary or slightly late notification.
 */
const key = 'watching';
const watchMs = 30_000;
const refreshMs = 10_000;
const chunk = 500;

const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** ARGV: the length, then sessions. Also removes expired entries. */
const write = `${now}
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[index]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
return 0`;

/** ARGV: sessions. Returns those that are watched. */
const read = `${now}
local found = {}
for index, score in ipairs(redis.call('ZMSCORE', KEYS[1], unpack(ARGV))) do
  if score and tonumber(score) > now then found[#found + 1] = ARGV[index] end
end
return found`;

export interface VisibleSessions {
  /** Records a visible page of the session. Resolves once others can see it. */
  begin(sessionId: string): Promise<void>;
  /** Records that a visible page was hidden or closed. */
  end(sessionId: string): Promise<void>;
  /** Removes this gateway's entries. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Creates a gateway's own watches. It counts pages locally, so that Redis is updated only for the first and the last
 * page of a session.
 */
export function createVisibleSessions({ redis, log }: { redis: Redis; log: Log }): VisibleSessions {
  const pages = new Map<string, number>();
  const quietly = async (work: Promise<unknown>) => {
    try {
      await work;
    } catch (error) {
      log.warn({ err: error }, 'recording device activity failed');
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

/** Returns those of the sessions that are being looked at; empty if Redis cannot answer. */
export async function findVisibleSessions(redis: Redis, sessionIds: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (let at = 0; at < sessionIds.length; at += chunk) {
    const some = (await redis.eval(read, 1, key, ...sessionIds.slice(at, at + chunk))) as string[];
    for (const one of some) found.add(one);
  }
  return found;
}
