import type { MeetingId, NodeId, ParticipantId, RoomId } from '@nolo/kit/ids';
import { cacheError, type Redis } from '@nolo/kit/redis';
import { limits } from '@nolo/rules';
import type { Participant } from '../domain/participant.ts';
import type { BarredAddresses, RoomNode, RoomStore } from '../domain/ports.ts';
import type { Seating, Seats } from '../domain/seats.ts';

/**
 * Rooms in Redis. `room:<id>:inside` and `room:<id>:waiting` are hashes of participants as JSON; `place:<participant>` says
 * in which room somebody is; `participants` is a sorted set of leases by Redis's own clock, so that no other has to agree
 * with it. `away:<participant>` and the sorted set `away` remember those whose lease ran out. What must not be torn apart
 * is a script.
 */
const inside = (roomId: RoomId) => `room:${roomId}:inside`;
const waiting = (roomId: RoomId) => `room:${roomId}:waiting`;
const nodesKey = (roomId: RoomId) => `room:${roomId}:nodes`;
const place = (participantId: ParticipantId) => `place:${participantId}`;
const onNode = (nodeId: NodeId) => `node:${nodeId}:rooms`;
const leases = 'participants';
const awayKey = (participantId: ParticipantId) => `away:${participantId}`;
const awayTimes = 'away';

/** A room that everybody forgot goes away by itself. */
const roomSeconds = 86_400;

const nowLua = `local t = redis.call('time') local now = t[1] * 1000 + math.floor(t[2] / 1000)`;

// KEYS: target hash, other hash, place, leases. ARGV: id, json, most people, lease ms, room id, seconds, most devices of
// the person, 1 where a seat is the host's. The same rules as domain/seats.ts, where nobody can come in between.
const putScript = `${nowLua}
if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
  local newcomer = cjson.decode(ARGV[2])
  local people, seated, devices, hosted = {}, 0, 0, newcomer.role == 'host'
  for _, json in ipairs(redis.call('hvals', KEYS[1])) do
    local one = cjson.decode(json)
    if one.role == 'host' then hosted = true end
    if one.userId == newcomer.userId then devices = devices + 1
    elseif not people[one.userId] then people[one.userId] = true seated = seated + 1 end
  end
  if devices >= tonumber(ARGV[7]) then return 'too_many_devices' end
  local kept = 0
  if ARGV[8] == '1' and not hosted then kept = 1 end
  if devices == 0 and seated + kept >= tonumber(ARGV[3]) then return 'full' end
end
redis.call('hdel', KEYS[2], ARGV[1])
redis.call('hset', KEYS[1], ARGV[1], ARGV[2])
redis.call('expire', KEYS[1], ARGV[6])
redis.call('set', KEYS[3], ARGV[5], 'EX', ARGV[6])
redis.call('zadd', KEYS[4], now + tonumber(ARGV[4]), ARGV[1])
return 'seated'`;

// KEYS: inside, waiting. ARGV: id, patch as JSON.
const patchScript = `
for i = 1, 2 do
  local old = redis.call('hget', KEYS[i], ARGV[1])
  if old then
    local one = cjson.decode(old)
    for key, value in pairs(cjson.decode(ARGV[2])) do one[key] = value end
    local new = cjson.encode(one)
    redis.call('hset', KEYS[i], ARGV[1], new)
    return new
  end
end
return false`;

// KEYS: inside, waiting, place, leases. ARGV: id. Answers json, whether it waited, how many are left inside.
const removeScript = `
redis.call('del', KEYS[3])
redis.call('zrem', KEYS[4], ARGV[1])
for i = 1, 2 do
  local old = redis.call('hget', KEYS[i], ARGV[1])
  if old then
    redis.call('hdel', KEYS[i], ARGV[1])
    return { old, i - 1, redis.call('hlen', KEYS[1]) }
  end
end
return false`;

// KEYS: leases. ARGV: lease ms, ids...
const renewScript = `${nowLua}
local known = {}
for i = 2, #ARGV do
  if redis.call('zscore', KEYS[1], ARGV[i]) then
    redis.call('zadd', KEYS[1], now + tonumber(ARGV[1]), ARGV[i])
    known[#known + 1] = ARGV[i]
  end
end
return known`;

// KEYS: leases, or times of those who are away. ARGV: limit, lease ms. Whoever takes them has that long to take them out; then they are due again.
const expiredScript = `${nowLua}
local ids = redis.call('zrangebyscore', KEYS[1], '-inf', now, 'limit', 0, ARGV[1])
for _, id in ipairs(ids) do redis.call('zadd', KEYS[1], now + tonumber(ARGV[2]), id) end
return ids`;

// KEYS: leases, or times of those who are away. Answers the ms until the first, none where there is nobody.
const firstScript = `${nowLua}
local first = redis.call('zrange', KEYS[1], 0, 0, 'withscores')
if not first[2] then return false end
return math.max(0, math.ceil(tonumber(first[2]) - now))`;

/** Who stayed away is remembered for a little longer, so that whoever looks after them finds who it was. */
const awayGraceMs = 600_000;

// KEYS: the one who is away, times. ARGV: id, json, ms, ms of grace.
const keepAwayScript = `${nowLua}
redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3] + ARGV[4])
redis.call('zadd', KEYS[2], now + tonumber(ARGV[3]), ARGV[1])`;

// KEYS: the one who is away. ARGV: ms of grace. Their score among the times moves on while somebody looks after them, and so
// does not tell whether they are late.
const awayScript = `
if redis.call('pttl', KEYS[1]) <= tonumber(ARGV[1]) then return false end
return redis.call('get', KEYS[1])`;

// KEYS: inside, nodes. Answers the nodes of a room in which nobody is, and forgets them.
const takeNodesScript = `
if redis.call('hlen', KEYS[1]) > 0 then return {} end
local nodes = redis.call('lrange', KEYS[2], 0, -1)
redis.call('del', KEYS[2])
return nodes`;

// KEYS: nodes, rooms of the node. ARGV: node as JSON, expected length, room id, seconds.
const addNodeScript = `
if redis.call('llen', KEYS[1]) == tonumber(ARGV[2]) then
  redis.call('rpush', KEYS[1], ARGV[1])
  redis.call('expire', KEYS[1], ARGV[4])
  redis.call('sadd', KEYS[2], ARGV[3])
  redis.call('expire', KEYS[2], ARGV[4])
end
return redis.call('lrange', KEYS[1], 0, -1)`;

// KEYS: nodes, rooms of the node. ARGV: node id, room id.
const removeNodeScript = `
redis.call('srem', KEYS[2], ARGV[2])
for _, one in ipairs(redis.call('lrange', KEYS[1], 0, -1)) do
  if cjson.decode(one).nodeId == ARGV[1] then return redis.call('lrem', KEYS[1], 1, one) end
end
return 0`;

export function createRoomStore(redis: Redis): RoomStore {
  /** Redis being away is a passing trouble, which callers and clients know how to take. */
  const asking = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw cacheError(error) ?? error;
    }
  };
  const read = (json: string): Participant => JSON.parse(json) as Participant;

  const put = async (
    target: string,
    other: string,
    participant: Participant,
    { most, hostSeat, devices }: Seats & { devices: number },
  ): Promise<Seating> => {
    const { id, roomId } = participant;
    return (await asking(
      redis.eval(
        putScript,
        4,
        target,
        other,
        place(id),
        leases,
        id,
        JSON.stringify(participant),
        most,
        limits.participantLeaseMs,
        roomId,
        roomSeconds,
        devices,
        hostSeat ? 1 : 0,
      ),
    )) as Seating;
  };

  const roomOf = (participantId: ParticipantId) => asking(redis.get(place(participantId)) as Promise<RoomId | null>);
  const all = async (key: string): Promise<Participant[]> =>
    (await asking(redis.hvals(key))).map(read).sort((a, b) => a.joinedAt - b.joinedAt || (a.id < b.id ? -1 : 1));

  return {
    enter: (participant, seats, devices) =>
      put(inside(participant.roomId), waiting(participant.roomId), participant, { ...seats, devices }),
    wait: (participant, most, devices) =>
      put(waiting(participant.roomId), inside(participant.roomId), participant, { most, hostSeat: false, devices }),

    async find(participantId) {
      const roomId = await roomOf(participantId);
      if (roomId === null) return undefined;
      const [within, outside] = await Promise.all([
        asking(redis.hget(inside(roomId), participantId)),
        asking(redis.hget(waiting(roomId), participantId)),
      ]);
      const json = within ?? outside;
      return json === null ? undefined : { participant: read(json), waiting: within === null };
    },

    async known(roomId, participantId) {
      // Together, for somebody waits for the answer.
      const [within, outside, lost] = await Promise.all([
        asking(redis.hget(inside(roomId), participantId)),
        asking(redis.hget(waiting(roomId), participantId)),
        asking(redis.eval(awayScript, 1, awayKey(participantId), awayGraceMs) as Promise<string | null>),
      ]);
      const json = within ?? outside ?? lost;
      if (json === null) return undefined;
      const participant = read(json);
      // Who was lost is remembered under no room.
      if (participant.roomId !== roomId) return undefined;
      return { participant, place: within !== null ? 'inside' : outside !== null ? 'waiting' : 'away' };
    },

    inside: (roomId) => all(inside(roomId)),
    waiting: (roomId) => all(waiting(roomId)),
    count: (roomId) => asking(redis.hlen(inside(roomId))),

    countAll: () => asking(redis.zcard(leases)),

    async patch({ id, roomId }, patch) {
      const json = (await asking(
        redis.eval(patchScript, 2, inside(roomId), waiting(roomId), id, JSON.stringify(patch)),
      )) as string | null;
      return json === null ? undefined : read(json);
    },

    async remove(participantId) {
      const roomId = await roomOf(participantId);
      if (roomId === null) {
        await asking(redis.zrem(leases, participantId));
        return undefined;
      }
      const found = (await asking(
        redis.eval(removeScript, 4, inside(roomId), waiting(roomId), place(participantId), leases, participantId),
      )) as [string, number, number] | null;
      if (found === null) return undefined;
      const [json, waited, left] = found;
      return { participant: read(json), waiting: waited === 1, left };
    },

    async keepAway(participant, forMs) {
      const { id } = participant;
      const json = JSON.stringify(participant);
      await asking(redis.eval(keepAwayScript, 2, awayKey(id), awayTimes, id, json, forMs, awayGraceMs));
    },

    async forgetAway(participantId) {
      await asking(redis.pipeline().del(awayKey(participantId)).zrem(awayTimes, participantId).exec());
    },

    async takeStayedAway(limit) {
      const ids = (await asking(
        redis.eval(expiredScript, 1, awayTimes, limit, limits.participantLeaseMs),
      )) as ParticipantId[];
      if (ids.length === 0) return [];
      const known = await asking(redis.mget(ids.map(awayKey)));
      // Of whom nothing is known any more there is nothing to do.
      for (const [index, json] of known.entries()) {
        if (json === null) await asking(redis.zrem(awayTimes, ids[index] ?? ''));
      }
      return known.flatMap((json) => (json === null ? [] : [read(json)]));
    },

    async renew(participantIds) {
      if (participantIds.length === 0) return new Set();
      const known = (await asking(
        redis.eval(renewScript, 1, leases, limits.participantLeaseMs, ...participantIds),
      )) as ParticipantId[];
      return new Set(known);
    },

    async msToFirst(of) {
      const ms = (await asking(redis.eval(firstScript, 1, of === 'leases' ? leases : awayTimes))) as number | null;
      return ms ?? undefined;
    },

    takeExpired: async (limit) =>
      (await asking(redis.eval(expiredScript, 1, leases, limit, limits.participantLeaseMs))) as ParticipantId[],

    nodes: async (roomId) =>
      (await asking(redis.lrange(nodesKey(roomId), 0, -1))).map((json) => JSON.parse(json) as RoomNode),

    async addNode(roomId, node, expected) {
      const list = (await asking(
        redis.eval(
          addNodeScript,
          2,
          nodesKey(roomId),
          onNode(node.nodeId),
          JSON.stringify(node),
          expected,
          roomId,
          roomSeconds,
        ),
      )) as string[];
      return list.map((json) => JSON.parse(json) as RoomNode);
    },

    removeNode: async (roomId, nodeId) =>
      (await asking(redis.eval(removeNodeScript, 2, nodesKey(roomId), onNode(nodeId), nodeId, roomId))) === 1,

    roomsOn: (nodeId) => asking(redis.smembers(onNode(nodeId)) as Promise<RoomId[]>),

    async takeNodes(roomId) {
      const taken = (await asking(redis.eval(takeNodesScript, 2, inside(roomId), nodesKey(roomId)))) as string[];
      const nodes = taken.map((json) => JSON.parse(json) as RoomNode);
      const pipeline = redis.pipeline();
      for (const { nodeId } of nodes) pipeline.srem(onNode(nodeId), roomId);
      await asking(pipeline.exec());
      return nodes;
    },
  };
}

/** For so long no guest comes from an address from which somebody was removed. */
const barredSeconds = 600;

export function createBarredAddresses(redis: Redis): BarredAddresses {
  const key = (meetingId: MeetingId, address: string) => `barred:${meetingId}:${address}`;
  return {
    async bar(meetingId, address) {
      if (address === '') return;
      await redis.set(key(meetingId, address), '1', 'EX', barredSeconds).catch((error: unknown) => {
        throw cacheError(error) ?? error;
      });
    },
    // Where Redis cannot be asked nobody gets into a room anyhow.
    isBarred: async (meetingId, address) =>
      address !== '' && (await redis.exists(key(meetingId, address)).catch(() => 0)) === 1,
  };
}
