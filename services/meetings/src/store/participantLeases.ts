import type { ParticipantId } from '@nolo/kit/ids';
import type { Redis } from '@nolo/kit/redis';
import { limits } from '@nolo/rules';
import type { RoomStore } from '../domain/ports.ts';
import {
  leasesKey,
  awayKey,
  awayTimesKey,
  nowLua,
  awayGraceMs,
  withCacheErrors,
  parseParticipant,
} from './roomKeys.ts';

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

// KEYS: leases, or times of absent participants. ARGV: limit, lease ms. The caller has that long to remove the returned
// participants; then they are due again.
const expiredScript = `${nowLua}
local ids = redis.call('zrangebyscore', KEYS[1], '-inf', now, 'limit', 0, ARGV[1])
for _, id in ipairs(ids) do redis.call('zadd', KEYS[1], now + tonumber(ARGV[2]), id) end
return ids`;

// KEYS: leases, or times of absent participants. Returns the ms until the first, or nothing if there are no entries.
const firstScript = `${nowLua}
local first = redis.call('zrange', KEYS[1], 0, 0, 'withscores')
if not first[2] then return false end
return math.max(0, math.ceil(tonumber(first[2]) - now))`;

// KEYS: the absent participant, times. ARGV: id, json, ms, ms of grace.
const keepAwayScript = `${nowLua}
redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3] + ARGV[4])
redis.call('zadd', KEYS[2], now + tonumber(ARGV[3]), ARGV[1])`;

/** Stores leases of participants, and lost participants who may return. */
export function createParticipantLeaseStore(
  redis: Redis,
): Pick<RoomStore, 'countAll' | 'keepAway' | 'forgetAway' | 'takeStayedAway' | 'renew' | 'msToFirst' | 'takeExpired'> {
  return {
    countAll: () => withCacheErrors(redis.zcard(leasesKey)),

    async keepAway(participant, forMs) {
      const { id } = participant;
      const json = JSON.stringify(participant);
      await withCacheErrors(redis.eval(keepAwayScript, 2, awayKey(id), awayTimesKey, id, json, forMs, awayGraceMs));
    },

    async forgetAway(participantId) {
      await withCacheErrors(redis.pipeline().del(awayKey(participantId)).zrem(awayTimesKey, participantId).exec());
    },

    async takeStayedAway(limit) {
      const ids = (await withCacheErrors(
        redis.eval(expiredScript, 1, awayTimesKey, limit, limits.participantLeaseMs),
      )) as ParticipantId[];
      if (ids.length === 0) return [];
      const known = await withCacheErrors(redis.mget(ids.map(awayKey)));
      // Entries without data need no handling.
      for (const [index, json] of known.entries()) {
        if (json === null) await withCacheErrors(redis.zrem(awayTimesKey, ids[index] ?? ''));
      }
      return known.flatMap((json) => (json === null ? [] : [parseParticipant(json)]));
    },

    async renew(participantIds) {
      if (participantIds.length === 0) return new Set();
      const known = (await withCacheErrors(
        redis.eval(renewScript, 1, leasesKey, limits.participantLeaseMs, ...participantIds),
      )) as ParticipantId[];
      return new Set(known);
    },

    async msToFirst(of) {
      const ms = (await withCacheErrors(redis.eval(firstScript, 1, of === 'leases' ? leasesKey : awayTimesKey))) as
        number | null;
      return ms ?? undefined;
    },

    takeExpired: async (limit) =>
      (await withCacheErrors(
        redis.eval(expiredScript, 1, leasesKey, limit, limits.participantLeaseMs),
      )) as ParticipantId[],
  };
}
