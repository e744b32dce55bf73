import type { Redis } from 'ioredis';
import type { Clock } from '../clock.ts';
import type { Log } from '../telemetry/log.ts';

/**
 * Leases: which user is connected to which gateway, stored by the gateways in Redis.
 *
 * `lease:<userId>` is a sorted set of replicas, scored with the time (ms) until which each vouches for the user.
 * `leases` holds `<userId>|<replicaId>` with the same score, for the sweep that finds the users of a gateway that died.
 * Every reader compares scores with the clock, so a lease that was not renewed is over, whether or not it was cleaned
 * up.
 *
 * The member `#` beside the replicas is scored with the number of frames sent to the user, far below any time. A
 * gateway that received fewer knows that frames were lost, for whatever reason.
 *
 * Writers and readers use the clock of Redis. With the machines' own clocks, a skew longer than a lease would make
 * everyone appear offline, or nobody ever.
 */
const leaseMs = 30_000;
const refreshMs = 10_000;
const chunk = 500;

const leaseKey = (userId: string) => `lease:${userId}`;
const allLeases = 'leases';
/** Test key that readers write periodically; see there. */
const writableKey = 'leases:writable';
const writableMs = 1000;

/** Current time in ms, from Redis unless the caller passes one. */
const nowInLua = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end`;

/**
 * KEYS: all leases, then that of each user. ARGV: the time, length, replica, then each user. Returns for each user the
 * number of frames sent, or minus that number minus one (-1 for zero) if the lease had been missing or over.
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

/** KEYS: all leases. ARGV: the time, the limit. Removes expired leases and returns them. */
const takeLeases = `${nowInLua}
local over = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[2])
if #over > 0 then redis.call('ZREM', KEYS[1], unpack(over)) end
return over`;

/**
 * KEYS: the leases of each user. ARGV: the time, then the number of counted frames for each. Returns each replica
 * followed by the indexes of its users. Uses one command with a short answer: a message to a group of 500 would
 * otherwise take 500 commands, which cost the caller ten times as much as everything else for that message.
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

/** Empty string: the scripts ask Redis for the time. */
const timeOf = (clock: Clock | undefined) => (clock ? String(clock.now().getTime()) : '');

/** Executes a pipeline. Throws if any command failed. */
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

export interface ConnectionLeases {
  /** A socket of the user opened. Resolves to true if it is the user's first on this replica. */
  add(userId: string): Promise<boolean>;
  /** A socket closed. Resolves to true if it was the user's last on this replica. */
  remove(userId: string): Promise<boolean>;
  /** Records the arrival of a counted frame for these users. */
  received(userIds: readonly string[]): void;
  /**
   * Renews all leases and reports users who missed frames: those whose lease was gone or over, and those for whom fewer
   * frames arrived than had been counted at the previous refresh.
   */
  refresh(): Promise<void>;
  /** Registers a callback for users of this replica whose frames were lost, or were sent to no gateway. */
  onMissed(callback: (userIds: readonly string[]) => void): void;
  /** Removes this replica's leases. Idempotent. */
  stop(): Promise<void>;
}

interface LeasedUser {
  sockets: number;
  written: Promise<void>;
  /** Frame count when this replica began to compare; undefined before its lease was first written. */
  base: number | undefined;
  /** Frames counted since then, as of the last refresh: these have had time to arrive. */
  counted: number;
  /** Frames received since then. */
  received: number;
}

/** Processes the answer to a lease write. Returns false if frames were lost since the last one. */
function takeCount(user: LeasedUser, answer: number): boolean {
  const total = answer < 0 ? -1 - answer : answer;
  const { base } = user;
  const complete = answer >= 0 && base !== undefined && total >= base + user.counted && user.received >= user.counted;
  if (complete) {
    user.counted = total - base;
    // More frames cannot have arrived. An excess would hide a later loss.
    user.received = Math.min(user.received, user.counted);
  } else {
    Object.assign(user, { base: total, counted: 0, received: 0 });
  }
  return complete;
}

/**
 * Creates a gateway's own leases. It counts sockets per user locally, so that Redis is updated only for the first and
 * the last. A Redis outage is no reason to refuse a socket: the next refresh, after 10 s at most, makes up for it.
 */
export function createConnectionLeases(options: {
  redis: Redis;
  replicaId: string;
  /** Replaces the clock of Redis, for tests. */
  clock?: Clock | undefined;
  log: Log;
}): ConnectionLeases {
  const { redis, replicaId, clock, log } = options;
  const users = new Map<string, LeasedUser>();
  const listeners = new Set<(userIds: readonly string[]) => void>();
  let stopping: Promise<void> | undefined;

  /** Returns the users who missed frames. */
  const write = async (userIds: readonly string[]): Promise<string[]> => {
    const missed: string[] = [];
    for (const batch of chunks(userIds, chunk)) {
      const keys = [allLeases, ...batch.map(leaseKey)];
      const args = [...keys, timeOf(clock), leaseMs, replicaId, ...batch];
      const answers = (await redis.eval(writeLeases, keys.length, ...args)) as number[];
      batch.forEach((userId, place) => {
        const user = users.get(userId);
        if (user && !takeCount(user, answers[place] ?? -1)) missed.push(userId);
      });
    }
    return missed;
  };

  const erase = async (userIds: readonly string[]) => {
    for (const batch of chunks(userIds, chunk)) {
      const pipeline = redis.pipeline();
      for (const userId of batch) {
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

  /**
   * Writes a user's lease. Nothing can be missed before the first socket; if this fails, the next refresh finds the
   * lease missing.
   */
  const vouch = (userId: string) =>
    quietly(
      write([userId]).then(() => undefined),
      'writing a lease failed',
    );

  const refresh = async () => {
    const missed = await write([...users.keys()]);
    if (missed.length > 0) for (const listener of listeners) listener(missed);
  };
  const renew = () => quietly(refresh(), 'lease renewal failed');
  const timer = setInterval(() => void renew(), refreshMs);
  timer.unref();

  return {
    async add(userId) {
      const user = users.get(userId);
      if (user) {
        user.sockets += 1;
        // A second socket must also wait until the lease is written.
        await user.written;
        return false;
      }
      const leased: LeasedUser = { sockets: 1, written: Promise.resolve(), base: undefined, counted: 0, received: 0 };
      users.set(userId, leased);
      leased.written = vouch(userId);
      await leased.written;
      // The socket may have closed while its lease was being written.
      if (!users.has(userId)) await quietly(erase([userId]), 'removing a lease failed');
      return true;
    },
    async remove(userId) {
      const user = users.get(userId);
      if (!user) return false;
      user.sockets -= 1;
      if (user.sockets > 0) return false;
      users.delete(userId);
      await quietly(erase([userId]), 'removing a lease failed');
      // The user may have reconnected while the lease was being removed, as when a page reloads.
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
        await quietly(erase(userIds), 'removing leases failed');
      })()),
  };
}

export interface ConnectionLeaseReader {
  /**
   * Returns the replicas that hold each user's sockets, in one round trip. Also rejects if Redis accepts no writes (its
   * memory or disk is full): gateways could not renew leases then, and the result would miss users.
   *
   * @param users with the number of frames about to be sent to each, which gateways compare with what they received; 0
   * for frames that may be lost.
   */
  replicasOf(users: ReadonlyMap<string, number>): Promise<Map<string, string[]>>;
  /** Returns the users who are connected anywhere. */
  online(userIds: readonly string[]): Promise<Set<string>>;
  /** Returns true if any user is connected, or was until their gateway died. */
  isAnybody(): Promise<boolean>;
  /**
   * Removes up to `limit` leases that expired without removal, and returns their users. With several sweepers, each
   * lease goes to only one.
   */
  takeExpired(limit?: number): Promise<string[]>;
}

/** Creates the view for readers: relays, and identity's presence. Rejects if Redis cannot answer. */
export function createConnectionLeaseReader(options: {
  redis: Redis;
  /** Replaces the clock of Redis, for tests. */
  clock?: Clock | undefined;
}): ConnectionLeaseReader {
  const { redis, clock } = options;
  let writableAt = -writableMs;

  const read = async (users: ReadonlyMap<string, number>, probe: boolean) => {
    const found = new Map<string, string[]>();
    for (const batch of chunks([...users.keys()], chunk)) {
      const pipeline = redis.pipeline();
      const probing = probe && performance.now() - writableAt >= writableMs;
      const counts = batch.map((userId) => users.get(userId) ?? 0);
      const counting = counts.some((count) => count > 0) ? counts : [];
      pipeline.eval(readLeases, batch.length, ...batch.map(leaseKey), timeOf(clock), ...counting);
      if (probing) pipeline.set(writableKey, 1, 'PX', 60_000);
      const [leased] = (await execute(pipeline)) as [string[]];
      if (probing) writableAt = performance.now();
      for (let at = 0; at < leased.length; at += 2) {
        const replica = leased[at] ?? '';
        for (const place of (leased[at + 1] ?? '').split(' ')) {
          const userId = batch[Number(place) - 1] ?? '';
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
