import type { Redis } from 'ioredis';

/** Seconds for which an unchanged version is stored. */
const keptSeconds = 86_400;

/**
 * Lua for scripts that change data in Redis: `nextVersion(key)` returns the next version of the data under the key, and
 * `now` is Redis's time in milliseconds. A version exceeds all earlier ones and is at least the time, so versions still
 * increase if Redis loses the key. They have 13 digits, which cjson writes in full.
 */
export const nextVersionLua = `
local t = redis.call('time')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function nextVersion(key)
  local version = math.max(now, (tonumber(redis.call('get', key)) or 0) + 1)
  redis.call('set', key, string.format('%.0f', version), 'EX', ${keptSeconds})
  return version
end`;

const nextVersionScript = `${nextVersionLua}
return nextVersion(KEYS[1])`;

/**
 * Returns the next version of data that is read after this call: of two states read by different replicas, the one with
 * the higher version is newer.
 */
export async function advanceStateVersion(redis: Redis, key: string): Promise<number> {
  return (await redis.eval(nextVersionScript, 1, key)) as number;
}
