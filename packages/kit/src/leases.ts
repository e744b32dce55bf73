import type { Redis } from 'ioredis';
import { systemClock, type Clock } from './clock.ts';
import type { Log } from './log.ts';

/**
 * Who is connected where, kept by the gateways in Redis.
 *
 * `lease:<userId>` is a sorted set of replicas, scored with the time (ms) until which each vouches
 * for the user; `leases` holds `<userId>|<replicaId>` with the same score, for the sweep that finds
 * the users of a gateway that died. Every reader compares scores with the clock, so a lease that
 * nobody renewed is over whether or not anyone cleaned it up.
 */
const leaseMs = 30_000;
const refreshMs = 10_000;
const chunk = 500;

const leaseKey = (userId: string) => `lease:${userId}`;
const allLeases = 'leases';

/** A pipeline answers with an error per command; any of them means that Redis did not do its part. */
async function execute(pipeline: ReturnType<Redis['pipeline']>): Promise<unknown[]> {
  const results = (await pipeline.exec()) ?? [];
  return results.map(([error, value]) => {
    if (error) throw error;
    return value;
  });
}

function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

export interface Leases {
  /** A socket of the user opened. Resolves to true if it is the user's first on this replica. */
  add(userId: string): Promise<boolean>;
  /** A socket closed. Resolves to true if it was the user's last on this replica. */
  remove(userId: string): Promise<boolean>;
  /** Writes all leases again: after Redis came back, perhaps empty. */
  refresh(): Promise<void>;
  /** Called when leases that could not be written stand again: meanwhile frames may have gone to nobody. */
  onRestored(callback: () => void): void;
  /** Takes this replica's leases away. Idempotent. */
  stop(): Promise<void>;
}

/**
 * A gateway's own leases. It counts sockets per user here, so that Redis hears only of the first
 * and the last. Redis being away is no reason to refuse a socket: the next refresh, 10 s later at
 * most, makes up for it.
 */
export function createLeases(options: { redis: Redis; replicaId: string; clock?: Clock; log: Log }): Leases {
  const { redis, replicaId, log } = options;
  const clock = options.clock ?? systemClock;
  const users = new Map<string, { sockets: number; written: Promise<void> }>();
  const listeners = new Set<() => void>();
  let renewedAt = clock.now().getTime();
  let unwritten = false;
  let stopping: Promise<void> | undefined;

  const write = async (userIds: readonly string[]) => {
    for (const part of chunks(userIds, chunk)) {
      const expiry = clock.now().getTime() + leaseMs;
      const pipeline = redis.pipeline();
      for (const userId of part) {
        pipeline.zadd(leaseKey(userId), expiry, replicaId);
        // The key outlives its last lease only shortly; the sweep reads the other set.
        pipeline.pexpire(leaseKey(userId), leaseMs * 2);
        pipeline.zadd(allLeases, expiry, `${userId}|${replicaId}`);
      }
      await execute(pipeline);
    }
  };

  const erase = async (userIds: readonly string[]) => {
    for (const part of chunks(userIds, chunk)) {
      const pipeline = redis.pipeline();
      for (const userId of part) {
        pipeline.zrem(leaseKey(userId), replicaId);
        pipeline.zrem(allLeases, `${userId}|${replicaId}`);
      }
      await execute(pipeline);
    }
  };

  const quietly = async (work: Promise<void>, what: string) => {
    try {
      await work;
    } catch (error) {
      log.warn({ err: error }, what);
    }
  };

  const vouch = async (userId: string) => {
    try {
      await write([userId]);
    } catch (error) {
      unwritten = true;
      log.warn({ err: error }, 'a lease could not be written');
    }
  };

  /** Answers whether leases stand again that were missing. */
  const refresh = async (): Promise<boolean> => {
    const at = clock.now().getTime();
    const missing = unwritten || at - renewedAt >= leaseMs;
    unwritten = false;
    try {
      await write([...users.keys()]);
      renewedAt = at;
      return missing;
    } catch (error) {
      unwritten ||= missing;
      log.warn({ err: error }, 'leases could not be renewed');
      return false;
    }
  };
  const renew = async () => {
    if (await refresh()) for (const listener of listeners) listener();
  };
  const timer = setInterval(() => void renew(), refreshMs);
  timer.unref();

  return {
    async add(userId) {
      const user = users.get(userId);
      if (user) {
        user.sockets += 1;
        // The second socket may rely on the lease no sooner than the first.
        await user.written;
        return false;
      }
      const written = vouch(userId);
      users.set(userId, { sockets: 1, written });
      await written;
      // The socket may have closed while Redis was being told that it opened.
      if (!users.has(userId)) await quietly(erase([userId]), 'a lease could not be removed');
      return true;
    },
    async remove(userId) {
      const user = users.get(userId);
      if (!user) return false;
      user.sockets -= 1;
      if (user.sockets > 0) return false;
      users.delete(userId);
      await quietly(erase([userId]), 'a lease could not be removed');
      // ... and the other way round, for a page that is being reloaded.
      if (users.has(userId)) await vouch(userId);
      return true;
    },
    refresh: async () => void (await refresh()),
    onRestored: (callback) => void listeners.add(callback),
    stop: () =>
      (stopping ??= (async () => {
        clearInterval(timer);
        const userIds = [...users.keys()];
        users.clear();
        await quietly(erase(userIds), 'leases could not be removed');
      })()),
  };
}

export interface LeaseReader {
  /** For each user the replicas that hold a socket of theirs, in one round trip. */
  replicasOf(userIds: readonly string[]): Promise<Map<string, string[]>>;
  /** Those of the users who are connected anywhere. */
  online(userIds: readonly string[]): Promise<Set<string>>;
  /**
   * Takes leases out that ran out without being removed, up to `limit`, and answers with their
   * users. Of several sweepers each lease goes to one.
   */
  takeExpired(limit?: number): Promise<string[]>;
}

/** The view of those who ask: relays, and identity's presence. Rejects where Redis cannot answer. */
export function createLeaseReader(options: { redis: Redis; clock?: Clock }): LeaseReader {
  const { redis } = options;
  const clock = options.clock ?? systemClock;

  const replicasOf = async (userIds: readonly string[]) => {
    const found = new Map<string, string[]>();
    for (const part of chunks([...new Set(userIds)], chunk)) {
      const pipeline = redis.pipeline();
      const now = clock.now().getTime();
      for (const userId of part) pipeline.zrangebyscore(leaseKey(userId), `(${now}`, '+inf');
      const results = await execute(pipeline);
      part.forEach((userId, index) => {
        const replicas = results[index] as string[];
        if (replicas.length > 0) found.set(userId, replicas);
      });
    }
    return found;
  };

  return {
    replicasOf,
    online: async (userIds) => new Set((await replicasOf(userIds)).keys()),
    async takeExpired(limit = 500) {
      const now = clock.now().getTime();
      const members = await redis.zrangebyscore(allLeases, '-inf', now, 'LIMIT', 0, limit);
      if (members.length === 0) return [];
      const pipeline = redis.pipeline();
      for (const member of members) pipeline.zrem(allLeases, member);
      const removed = await execute(pipeline);
      const users = members.filter((_, index) => removed[index] === 1).map((member) => member.split('|')[0] ?? '');
      return [...new Set(users)];
    },
  };
}
