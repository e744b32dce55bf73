import type { Redis } from 'ioredis';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/**
 * Who is connected where, kept by the gateways in Redis.
 *
 * `lease:<userId>` is a sorted set of replicas, scored with the time (ms) until which each vouches
 * for the user; `leases` holds `<userId>|<replicaId>` with the same score, for the sweep that finds
 * the users of a gateway that died. Every reader compares scores with the clock, so a lease that
 * nobody renewed is over whether or not anyone cleaned it up.
 *
 * Beside the replicas stands `#`, scored with how many frames were handed on for the user: far below any time. A gateway
 * that got fewer knows that frames were lost, whatever the reason.
 *
 * The clock is that of Redis, for writers and readers: between machines whose own clocks lie further
 * apart than a lease is long, everybody would seem to be away, or nobody ever.
 */
const leaseMs = 30_000;
const refreshMs = 10_000;
const chunk = 500;

const leaseKey = (userId: string) => `lease:${userId}`;
const allLeases = 'leases';
/** Written by readers now and then; see there. */
const writableKey = 'leases:writable';
const writableMs = 1000;

/** The time in ms, Redis's own unless the caller brought one. */
const nowInLua = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end`;

/**
 * KEYS: all leases, then that of each user; ARGV: the time, length, replica, then each user. Answers for each user how
 * many frames were handed on, with a minus and one more (-1 is none) where the lease had been missing or over.
 */
const writeLeases = `${nowInLua}
local expiry = now + ARGV[2]
local reply = {}
for index = 2, #KEYS do
  local was = redis.call('ZMSCORE', KEYS[index], ARGV[3], '#')
  local counted = tonumber(was[2] or 0)
  local held = was[1] and tonumber(was[1]) > now
  reply[index - 1] = held and counted or -1 - counted
  redis.call('ZADD', KEYS[index], expiry, ARGV[3])
  -- The key outlives its last lease only shortly; the sweep reads the other set.
  redis.call('PEXPIRE', KEYS[index], ARGV[2] * 2)
  redis.call('ZADD', KEYS[1], expiry, ARGV[index + 2] .. '|' .. ARGV[3])
end
return reply`;

/** KEYS: all leases; ARGV: the time, how many. Takes out those that ran out, and answers with them. */
const takeLeases = `${nowInLua}
local over = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[2])
if #over > 0 then redis.call('ZREM', KEYS[1], unpack(over)) end
return over`;

/**
 * KEYS: the leases of each user; ARGV: the time, then how many frames for each, if they count. Answers with each replica followed by the places of the users whom it
 * holds. One command, and an answer of a few words: a message to a group of 500 would otherwise be 500 commands, which
 * cost whoever asks ten times as much as all else that it does for that message.
 */
const readLeases = `${nowInLua}
local held = {}
local later = '(' .. string.format('%.0f', now)
for place = 1, #KEYS do
  local replicas = redis.call('ZRANGEBYSCORE', KEYS[place], later, '+inf')
  for _, replica in ipairs(replicas) do
    local places = held[replica]
    if places then places[#places + 1] = place else held[replica] = { place } end
  end
  local frames = ARGV[place + 1]
  if frames and replicas[1] then redis.call('ZINCRBY', KEYS[place], frames, '#') end
end
local reply = {}
for replica, places in pairs(held) do
  reply[#reply + 1] = replica
  reply[#reply + 1] = table.concat(places, ' ')
end
return reply`;

/** What the scripts take for "ask Redis". */
const timeOf = (clock: Clock | undefined) => (clock ? String(clock.now().getTime()) : '');

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
  /** A frame that was counted came for these. */
  received(userIds: readonly string[]): void;
  /**
   * Writes all leases again, and tells who missed frames: those whose lease was gone or over, and those for whom fewer
   * came than had been counted at the time before this.
   */
  refresh(): Promise<void>;
  /** Called with users of this replica for whom frames were lost, or went to nobody. */
  onMissed(callback: (userIds: readonly string[]) => void): void;
  /** Takes this replica's leases away. Idempotent. */
  stop(): Promise<void>;
}

interface HeldUser {
  sockets: number;
  written: Promise<void>;
  /** What the count stood at when this replica began to compare; undefined before its lease was ever written. */
  base: number | undefined;
  /** Frames counted since then, as of the last refresh: these have had the time to arrive. */
  counted: number;
  /** Frames that came since then. */
  received: number;
}

/** Takes in what the write of a lease answered. False where frames were lost since the last one. */
function takeCount(user: HeldUser, answer: number): boolean {
  const total = answer < 0 ? -1 - answer : answer;
  const { base } = user;
  const complete = answer >= 0 && base !== undefined && total >= base + user.counted && user.received >= user.counted;
  if (complete) {
    user.counted = total - base;
    // More cannot have come; what seems so would hide a loss later.
    user.received = Math.min(user.received, user.counted);
  } else {
    Object.assign(user, { base: total, counted: 0, received: 0 });
  }
  return complete;
}

/**
 * A gateway's own leases. It counts sockets per user here, so that Redis hears only of the first
 * and the last. Redis being away is no reason to refuse a socket: the next refresh, 10 s later at
 * most, makes up for it.
 */
export function createLeases(options: {
  redis: Redis;
  replicaId: string;
  /** For tests, in place of Redis's. */
  clock?: Clock | undefined;
  log: Log;
}): Leases {
  const { redis, replicaId, clock, log } = options;
  const users = new Map<string, HeldUser>();
  const listeners = new Set<(userIds: readonly string[]) => void>();
  let stopping: Promise<void> | undefined;

  /** Answers with those who missed something. */
  const write = async (userIds: readonly string[]): Promise<string[]> => {
    const missed: string[] = [];
    for (const part of chunks(userIds, chunk)) {
      const keys = [allLeases, ...part.map(leaseKey)];
      const args = [...keys, timeOf(clock), leaseMs, replicaId, ...part];
      const answers = (await redis.eval(writeLeases, keys.length, ...args)) as number[];
      part.forEach((userId, place) => {
        const user = users.get(userId);
        if (user && !takeCount(user, answers[place] ?? -1)) missed.push(userId);
      });
    }
    return missed;
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

  /** Nobody missed anything before their first socket; where this fails, the next refresh finds the lease missing. */
  const vouch = (userId: string) =>
    quietly(
      write([userId]).then(() => undefined),
      'a lease could not be written',
    );

  const refresh = async () => {
    const missed = await write([...users.keys()]);
    if (missed.length > 0) for (const listener of listeners) listener(missed);
  };
  const renew = () => quietly(refresh(), 'leases could not be renewed');
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
      const held: HeldUser = { sockets: 1, written: Promise.resolve(), base: undefined, counted: 0, received: 0 };
      users.set(userId, held);
      held.written = vouch(userId);
      await held.written;
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
    received(userIds) {
      for (const userId of userIds) {
        const user = users.get(userId);
        if (user) user.received += 1;
      }
    },
    refresh: renew,
    onMissed: (callback) => void listeners.add(callback),
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
  /**
   * For each user the replicas that hold a socket of theirs, in one round trip. Rejects too where Redis takes no writes
   * (its memory or disk is full): gateways cannot say then whom they hold, and what is read would miss people.
   *
   * @param users with how many frames are about to be handed on for each, which gateways compare with what they got; 0
   * for what may be lost.
   */
  replicasOf(users: ReadonlyMap<string, number>): Promise<Map<string, string[]>>;
  /** Those of the users who are connected anywhere. */
  online(userIds: readonly string[]): Promise<Set<string>>;
  /** Whether anybody is connected anywhere, or was until their gateway died. */
  isAnybody(): Promise<boolean>;
  /**
   * Takes leases out that ran out without being removed, up to `limit`, and answers with their
   * users. Of several sweepers each lease goes to one.
   */
  takeExpired(limit?: number): Promise<string[]>;
}

/** The view of those who ask: relays, and identity's presence. Rejects where Redis cannot answer. */
export function createLeaseReader(options: {
  redis: Redis;
  /** For tests, in place of Redis's. */
  clock?: Clock | undefined;
}): LeaseReader {
  const { redis, clock } = options;
  let writableAt = -writableMs;

  const read = async (users: ReadonlyMap<string, number>, probe: boolean) => {
    const found = new Map<string, string[]>();
    for (const part of chunks([...users.keys()], chunk)) {
      const pipeline = redis.pipeline();
      const probing = probe && performance.now() - writableAt >= writableMs;
      const counts = part.map((userId) => users.get(userId) ?? 0);
      const counting = counts.some((count) => count > 0) ? counts : [];
      pipeline.eval(readLeases, part.length, ...part.map(leaseKey), timeOf(clock), ...counting);
      if (probing) pipeline.set(writableKey, 1, 'PX', 60_000);
      const [held] = (await execute(pipeline)) as [string[]];
      if (probing) writableAt = performance.now();
      for (let at = 0; at < held.length; at += 2) {
        const replica = held[at] ?? '';
        for (const place of (held[at + 1] ?? '').split(' ')) {
          const userId = part[Number(place) - 1] ?? '';
          const replicas = found.get(userId);
          if (replicas) replicas.push(replica);
          else found.set(userId, [replica]);
        }
      }
    }
    return found;
  };

  return {
    replicasOf: (users) => read(users, true),
    online: async (userIds) => new Set((await read(new Map(userIds.map((userId) => [userId, 0])), false)).keys()),
    isAnybody: async () => (await redis.exists(allLeases)) > 0,
    async takeExpired(limit = 500) {
      const members = (await redis.eval(takeLeases, 1, allLeases, timeOf(clock), `${limit}`)) as string[];
      return [...new Set(members.map((member) => member.split('|')[0] ?? ''))];
    },
  };
}
