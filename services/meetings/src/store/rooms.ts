import type { ParticipantId, RoomId } from '@nolo/kit/ids';
import type { Redis } from '@nolo/kit/redis';
import { nextVersionLua } from '@nolo/kit/versions';
import { limits } from '@nolo/rules';
import type { Participant } from '../domain/participant.ts';
import type { RoomSnapshot, RoomStore } from '../domain/ports.ts';
import type { AdmissionOutcome, RoomCapacity } from '../domain/roomCapacity.ts';
import {
  insideKey,
  waitingKey,
  placeKey,
  leasesKey,
  awayKey,
  abandonedRoomSeconds,
  versionKey,
  awayGraceMs,
  withCacheErrors,
  parseParticipant,
} from './roomKeys.ts';
import { createRoomNodeStore } from './roomNodes.ts';
import { createParticipantLeaseStore } from './participantLeases.ts';

// KEYS: target hash, other hash, place, leases, version. ARGV: id, json, most people, lease ms, room id, seconds, most
// devices of the person, 1 if one slot is the host's. Implements the rules of domain/roomCapacity.ts atomically.
const putScript = `${nextVersionLua}
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
local one = cjson.decode(ARGV[2])
one.version = nextVersion(KEYS[5])
redis.call('hset', KEYS[1], ARGV[1], cjson.encode(one))
redis.call('expire', KEYS[1], ARGV[6])
redis.call('set', KEYS[3], ARGV[5], 'EX', ARGV[6])
redis.call('zadd', KEYS[4], now + tonumber(ARGV[4]), ARGV[1])
return 'seated'`;

// KEYS: inside, waiting, version. ARGV: id, patch as JSON.
const patchScript = `${nextVersionLua}
for i = 1, 2 do
  local old = redis.call('hget', KEYS[i], ARGV[1])
  if old then
    local one = cjson.decode(old)
    for key, value in pairs(cjson.decode(ARGV[2])) do one[key] = value end
    one.version = nextVersion(KEYS[3])
    local new = cjson.encode(one)
    redis.call('hset', KEYS[i], ARGV[1], new)
    return new
  end
end
return false`;

// KEYS: inside, waiting, place, leases, version. ARGV: id. Returns json, whether it was waiting, how many are left
// inside, and the version of the room without it.
const removeScript = `${nextVersionLua}
redis.call('del', KEYS[3])
redis.call('zrem', KEYS[4], ARGV[1])
for i = 1, 2 do
  local old = redis.call('hget', KEYS[i], ARGV[1])
  if old then
    redis.call('hdel', KEYS[i], ARGV[1])
    return { old, i - 1, redis.call('hlen', KEYS[1]), nextVersion(KEYS[5]) }
  end
end
return false`;

// KEYS: version, inside or waiting. A single script keeps the two reads consistent.
const snapshotScript = `return { redis.call('get', KEYS[1]), redis.call('hvals', KEYS[2]) }`;

// KEYS: the absent participant. ARGV: ms of grace. The score in `away` moves while a sweep handles the participant, so
// it does not show whether they are late.
const awayScript = `
if redis.call('pttl', KEYS[1]) <= tonumber(ARGV[1]) then return false end
return redis.call('get', KEYS[1])`;

export function createRoomStore(redis: Redis): RoomStore {
  const put = async (
    target: string,
    other: string,
    participant: Participant,
    { maxPeople, hasHostSlot, devices }: RoomCapacity & { devices: number },
  ): Promise<AdmissionOutcome> => {
    const { id, roomId } = participant;
    return (await withCacheErrors(
      redis.eval(
        putScript,
        5,
        target,
        other,
        placeKey(id),
        leasesKey,
        versionKey(roomId),
        id,
        JSON.stringify(participant),
        maxPeople,
        limits.participantLeaseMs,
        roomId,
        abandonedRoomSeconds,
        devices,
        hasHostSlot ? 1 : 0,
      ),
    )) as AdmissionOutcome;
  };

  const roomOf = (participantId: ParticipantId) =>
    withCacheErrors(redis.get(placeKey(participantId)) as Promise<RoomId | null>);
  const inOrder = (all: readonly string[]): Participant[] =>
    all.map(parseParticipant).sort((a, b) => a.joinedAt - b.joinedAt || (a.id < b.id ? -1 : 1));
  const all = async (key: string): Promise<Participant[]> => inOrder(await withCacheErrors(redis.hvals(key)));
  const snapshot = async (roomId: RoomId, key: string): Promise<RoomSnapshot> => {
    const [version, people] = (await withCacheErrors(redis.eval(snapshotScript, 2, versionKey(roomId), key))) as [
      string | null,
      string[],
    ];
    return { version: Number(version ?? 0), people: inOrder(people) };
  };

  return {
    ...createRoomNodeStore(redis),
    ...createParticipantLeaseStore(redis),

    enter: (participant, capacity, devices) =>
      put(insideKey(participant.roomId), waitingKey(participant.roomId), participant, { ...capacity, devices }),

    wait: (participant, maxPeople, devices) =>
      put(waitingKey(participant.roomId), insideKey(participant.roomId), participant, {
        maxPeople,
        hasHostSlot: false,
        devices,
      }),

    async find(participantId) {
      const roomId = await roomOf(participantId);
      if (roomId === null) return undefined;
      const [within, outside] = await Promise.all([
        withCacheErrors(redis.hget(insideKey(roomId), participantId)),
        withCacheErrors(redis.hget(waitingKey(roomId), participantId)),
      ]);
      const json = within ?? outside;
      return json === null ? undefined : { participant: parseParticipant(json), waiting: within === null };
    },

    async known(roomId, participantId) {
      // Queried in parallel, because a client waits for the response.
      const [within, outside, lost] = await Promise.all([
        withCacheErrors(redis.hget(insideKey(roomId), participantId)),
        withCacheErrors(redis.hget(waitingKey(roomId), participantId)),
        withCacheErrors(redis.eval(awayScript, 1, awayKey(participantId), awayGraceMs) as Promise<string | null>),
      ]);
      const json = within ?? outside ?? lost;
      if (json === null) return undefined;
      const participant = parseParticipant(json);
      // Absent participants are stored independently of rooms.
      if (participant.roomId !== roomId) return undefined;
      return { participant, place: within !== null ? 'inside' : outside !== null ? 'waiting' : 'away' };
    },

    inside: (roomId) => all(insideKey(roomId)),

    waiting: (roomId) => all(waitingKey(roomId)),

    snapshotInside: (roomId) => snapshot(roomId, insideKey(roomId)),

    snapshotWaiting: (roomId) => snapshot(roomId, waitingKey(roomId)),

    count: (roomId) => withCacheErrors(redis.hlen(insideKey(roomId))),

    async patch({ id, roomId }, patch) {
      const json = (await withCacheErrors(
        redis.eval(
          patchScript,
          3,
          insideKey(roomId),
          waitingKey(roomId),
          versionKey(roomId),
          id,
          JSON.stringify(patch),
        ),
      )) as string | null;
      return json === null ? undefined : parseParticipant(json);
    },

    async remove(participantId) {
      const roomId = await roomOf(participantId);
      if (roomId === null) {
        await withCacheErrors(redis.zrem(leasesKey, participantId));
        return undefined;
      }
      const found = (await withCacheErrors(
        redis.eval(
          removeScript,
          5,
          insideKey(roomId),
          waitingKey(roomId),
          placeKey(participantId),
          leasesKey,
          versionKey(roomId),
          participantId,
        ),
      )) as [string, number, number, number] | null;
      if (found === null) return undefined;
      const [json, waited, left, version] = found;
      return { participant: parseParticipant(json), waiting: waited === 1, left, version };
    },
  };
}
